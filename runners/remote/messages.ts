import { isFields, type Fields } from '../../domain/fields.ts';
import type { RunnableCheck } from '../../probes/engine/check-type.ts';
import { InvalidServiceMessage } from './errors.ts';
import type { HandedRun, HandedSchedule, Order, Receipt, StagedFile, Welcome } from './protocol.ts';

/*
 * Messages from the service are validated before use: a proxy may respond in place of the service, and a later release
 * may send additional fields. Schemas are not used here, because they would use more memory than the rest of the
 * runner.
 */

/** An order. `unreadable` is an order with a run that cannot be read but can be identified. */
export type ReadOrder = Order | { kind: 'unreadable'; delivery: string; ticket: string };

/** Maximum number of characters in an identifier, a ticket or a name. */
const LONGEST = 16_384;
/** Maximum timeout of a run, in seconds. */
const LONGEST_RUN = 3_600;

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST;
const isName = (value: unknown): value is string => isText(value) && value !== '';
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isWithin = (value: unknown, from: number, to: number): value is number =>
  isNumber(value) && value >= from && value <= to;

const read = (text: string, what: string): Fields => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidServiceMessage(`${what} of the service is not valid JSON.`);
  }
  if (!isFields(value)) throw new InvalidServiceMessage(`${what} of the service is not a JSON object.`);
  return value;
};

/** Parses the response to a runner that connects. @throws InvalidServiceMessage */
export const welcomeOf = (text: string): Welcome => {
  const value = read(text, 'The response');
  const { session, runner, clock, silence_ms, heartbeat_ms = 1, limits } = value;
  const isWelcome =
    isName(session) &&
    isNumber(clock) &&
    isWithin(silence_ms, 1, 3_600_000) &&
    isWithin(heartbeat_ms, 1, 3_600_000) &&
    isFields(runner) &&
    [runner['id'], runner['name'], runner['region']].every(isText) &&
    isFields(limits) &&
    [limits['results'], limits['report_bytes'], limits['file_bytes']].every((limit) => isWithin(limit, 1, 1e9));
  if (!isWelcome) throw new InvalidServiceMessage('The response of the service is not a welcome message.');
  return value as unknown as Welcome;
};

/** Parses the response to a report. @throws InvalidServiceMessage */
export const receiptOf = (text: string): Receipt => {
  const value = read(text, 'The receipt');
  const { clock, refused } = value;
  const isRefusal = (one: unknown): boolean => isFields(one) && isNumber(one['index']) && isText(one['reason']);
  if (!isNumber(clock) || !Array.isArray(refused) || !refused.every(isRefusal))
    throw new InvalidServiceMessage('The response of the service is not a receipt.');
  return value as unknown as Receipt;
};

/** Parses the response to an upload. @throws InvalidServiceMessage */
export const stagedFileOf = (text: string): StagedFile => {
  const { staged } = read(text, 'The response');
  if (!isName(staged)) throw new InvalidServiceMessage('The response of the service does not name the uploaded file.');
  return { staged };
};

/** Returns the reason in an error response of the service; null if there is none. */
export const messageOfError = (text: string): string | null => {
  try {
    const { message } = read(text, 'The response');
    return isName(message) ? message : null;
  } catch {
    return null;
  }
};

/** Parses an order. @returns null if only later releases know this kind of order @throws InvalidServiceMessage */
export const orderOf = (text: string): ReadOrder | null => {
  const value = read(text, 'An order');
  switch (value['kind']) {
    case 'run':
      return runOf(value['run']);
    case 'cancel':
      return isName(value['delivery']) ? { kind: 'cancel', delivery: value['delivery'] } : null;
    case 'forget':
      return isName(value['check_id']) ? { kind: 'forget', check_id: value['check_id'] } : null;
    case 'end': {
      const { reason } = value;
      return { kind: 'end', reason: reason === 'revoked' || reason === 'replaced' ? reason : 'stopping' };
    }
    default:
      return null;
  }
};

const runOf = (run: unknown): ReadOrder => {
  if (!isFields(run) || !isName(run['delivery']) || !isName(run['ticket']))
    throw new InvalidServiceMessage('The service has sent a run without a delivery or ticket.');
  const { delivery, ticket, check_id, check, fresh, slot, not_after, schedule } = run;
  const isRun =
    (check_id === null || isName(check_id)) &&
    isCheck(check) &&
    typeof fresh === 'boolean' &&
    isNumber(slot) &&
    isNumber(not_after) &&
    (schedule === null || isSchedule(schedule));
  return isRun ? { kind: 'run', run: run as unknown as HandedRun } : { kind: 'unreadable', delivery, ticket };
};

const isCheck = (check: unknown): check is RunnableCheck =>
  isFields(check) &&
  isName(check['type']) &&
  [check['url'], check['host']].every((value) => value === null || isText(value)) &&
  (check['port'] === null || isWithin(check['port'], 0, 65_535)) &&
  isWithin(check['timeout'], 0.001, LONGEST_RUN) &&
  isFields(check['parameters']) &&
  isFields(check['secrets']) &&
  Object.values(check['secrets']).every((value) => typeof value === 'string');

const isSchedule = (schedule: unknown): schedule is HandedSchedule =>
  isFields(schedule) && isWithin(schedule['interval'], 1, 1e9) && typeof schedule['repeats'] === 'boolean';
