import type { EventOf } from '../../../domain/event-types.ts';
import { checkResultEvents, type CheckServer } from '../../../domain/check-result/events.ts';
import type { NewEvent } from '../../../domain/event.ts';
import { derivedId, derivedUuid } from '../../../domain/identity.ts';
import { instantOf, millisecondsOf } from '../../../domain/time.ts';
import { CHECK, ORGANIZATION, SLOT } from '../check/examples.ts';

export const SERVER: CheckServer = {
  id: 'server000001',
  country: 'RU',
  region: 'RU, Moscow',
  ip_address: '127.0.0.1',
  server_metadata: { provider: 'self-hosted' },
};

type Data = EventOf<'CheckRunCompleted'>['data'];

export const ranOk = (fields: Partial<Data> = {}): EventOf<'CheckRunCompleted'> => ({
  type: 'CheckRunCompleted',
  data: {
    result_id: 'result000001',
    check_id: CHECK,
    organization_id: ORGANIZATION,
    check_type: 'web',
    run_id: 'run000000001',
    slot: SLOT,
    result_type: 'regular',
    region: 'RU, Moscow',
    status: 'ok',
    response_time: 12,
    error_message: null,
    credits: 1,
    check_server: SERVER,
    check_metadata: { connected: true, host: 'shop.example', port: 443, status_code: 200 },
    ...fields,
  },
});

export const ranDown = (fields: Partial<Data> = {}): EventOf<'CheckRunCompleted'> =>
  ranOk({
    status: 'down',
    reason: 'connect',
    response_time: null,
    error_message: 'Connection refused by 127.0.0.1:443.',
    check_metadata: { connected: false, host: 'shop.example', port: 443, status_code: null },
    ...fields,
  });

/** Creates a result of a check from a separate run, ready to be appended. `at`: milliseconds since 1970. */
export const resultOf = (
  checkId: string,
  at = millisecondsOf(SLOT),
  fields: Partial<Data> = {},
): NewEvent<EventOf<'CheckRunCompleted'>> => {
  const run = derivedId(`run of ${checkId} at ${at}`);
  const { type, data } = ranOk({
    check_id: checkId,
    run_id: run,
    result_id: derivedId(`result of ${run}`),
    slot: instantOf(at),
    ...fields,
  });
  return {
    id: derivedUuid(data.result_id),
    type,
    data,
    metadata: {
      $correlationId: run,
      $causationId: run,
      command_id: run,
      actor: { kind: 'system', id: 'runner', role: null },
      organization_id: data.organization_id,
      recorded_at: instantOf(at),
      schema_version: checkResultEvents.CheckRunCompleted.version,
    },
  };
};
