import { AS_OF } from '../api/as-of.ts';
import { Failure, NoPast } from '../api/failure.ts';
import type { Operation } from '../api/request.ts';

/** Operations whose response has only measurements of a period, with the parameter for the end of the period. */
const UNTIL: Readonly<Partial<Record<Operation, string>>> = {
  'GET /v1/checks/{check_id}/results': 'end_date',
  'GET /v1/checks/{check_id}/response-times': 'end_date',
  'GET /v1/checks/{check_id}/status-history': 'end_date',
  'GET /v1/checks/status-history': 'end_date',
  'GET /v1/checks/{check_id}/uptime': 'end_time',
  'GET /v1/heartbeats/{heartbeat_key}/pings': 'created_until',
  'GET /v1/audit': 'end_date',
};

/** Operations whose response does not depend on the time. */
const TIMELESS: ReadonlySet<Operation> = new Set<Operation>([
  'GET /v1/checks/get-regions',
  'GET /v1/checks/{check_id}/results/{result_id}',
]);

const asOf: ReadonlySet<Operation> = new Set(AS_OF);

/** Returns whether a screen is allowed to call an operation while it shows a past state. */
export const isAboutPast = (operation: Operation): boolean =>
  asOf.has(operation) || UNTIL[operation] !== undefined || TIMELESS.has(operation);

type Query = Readonly<Record<string, unknown>>;

/**
 * Returns the request that reads the state at a past moment, or what was measured until then.
 *
 * @throws NoPast the operation changes something, or has no past states
 */
export const pastRequest = <Parts extends object>(operation: Operation, parts: Parts, at: string): Parts => {
  if (!isAboutPast(operation)) throw new NoPast();
  const { query = {} } = parts as { query?: Query };
  if (asOf.has(operation)) return { ...parts, query: { ...query, at: `${at}Z` } };
  const end = UNTIL[operation];
  if (end === undefined) return parts;
  const wanted = query[end];
  const isEarlier = typeof wanted === 'string' && Date.parse(wanted) < Date.parse(`${at}Z`);
  return isEarlier ? parts : { ...parts, query: { ...query, [end]: `${at}Z` } };
};

/** Returns whether the service refused the moment of a request because it is in the future. */
export const isMomentRefused = (error: unknown): boolean =>
  error instanceof Failure && error.status === 400 && error.query['at'] !== undefined;
