import type { EventOf } from '../../../domain/event-types.ts';
import { CHECK, ORGANIZATION, SLOT } from '../check/examples.ts';
import { ranDown, ranOk } from '../check-result/examples.ts';

/** Events of one parallel run in three regions, for tests. */
export const GROUP = 'group0000001';
export const REQUESTED_REGIONS = ['RU, Moscow', 'EU, West', 'IN, Mumbai'];
export const TIMEOUT_AT = '2026-11-20T15:01:10.000000';

type Started = EventOf<'ExecutionGroupStarted'>['data'];
type Result = EventOf<'CheckRunCompleted'>['data'];

export const groupStarted = (fields: Partial<Started> = {}): EventOf<'ExecutionGroupStarted'> => ({
  type: 'ExecutionGroupStarted',
  data: {
    execution_group_id: GROUP,
    check_id: CHECK,
    organization_id: ORGANIZATION,
    execution_mode: 'all',
    execution_type: 'scheduled',
    run_id: 'run000000001',
    slot: SLOT,
    regions: REQUESTED_REGIONS,
    timeout_at: TIMEOUT_AT,
    ...fields,
  },
});

export const groupTimedOut: EventOf<'ExecutionGroupTimedOut'> = {
  type: 'ExecutionGroupTimedOut',
  data: { execution_group_id: GROUP, check_id: CHECK, organization_id: ORGANIZATION },
};

/** The possible ends of a parallel run of an unsaved definition, which has no check. */
export const endsOfNoCheck: readonly EventOf<'ExecutionGroupTimedOut' | 'ExecutionGroupCancelled'>[] = [
  { type: 'ExecutionGroupTimedOut', data: { execution_group_id: GROUP, organization_id: ORGANIZATION } },
  { type: 'ExecutionGroupCancelled', data: { execution_group_id: GROUP, organization_id: ORGANIZATION } },
];

const inRegion = (region: string, fields: Partial<Result>): Partial<Result> => ({
  execution_group_id: GROUP,
  region,
  result_id: `result of ${region}`,
  ...fields,
});

export const groupCancelled: EventOf<'ExecutionGroupCancelled'> = {
  type: 'ExecutionGroupCancelled',
  data: groupTimedOut.data,
};

/** Returns the result of a region of the group. */
export const reportedOk = (region: string, fields: Partial<Result> = {}): EventOf<'CheckRunCompleted'> =>
  ranOk(inRegion(region, fields));

export const reportedDown = (region: string, fields: Partial<Result> = {}): EventOf<'CheckRunCompleted'> =>
  ranDown(inRegion(region, fields));
