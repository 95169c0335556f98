import type { EventOf } from '../../../domain/event-types.ts';
import type { NewCheck } from '../../../domain/check/decide.ts';
import type { SecretBinding } from '../../../domain/check/events.ts';
import { NO_GROUP, type CheckSettings, type GroupPlacement } from '../../../domain/check/state.ts';
import type { CheckResultVerdict } from '../../../domain/check/status-change.ts';

/** Events of one check, for tests. */
export const CHECK = 'check0000001';
export const ORGANIZATION = 'org000000001';
export const SLOT = '2026-11-20T15:00:30.000000';
export const LATER_SLOT = '2026-11-20T15:01:30.000000';

type ExampleCheck = NewCheck & CheckSettings;

export const newCheck = (fields: Partial<ExampleCheck> = {}): ExampleCheck => ({
  name: 'Shop',
  type: 'web',
  active: true,
  interval: 60,
  timeout: 10,
  host: null,
  url: 'https://shop.example/',
  port: null,
  parameters: {},
  tags: [],
  ...fields,
});

export const checkCreated = (
  fields: Partial<ExampleCheck> = {},
  placement: GroupPlacement = NO_GROUP,
  secrets: SecretBinding[] = [],
): EventOf<'CheckCreated'> => ({
  type: 'CheckCreated',
  data: { check_id: CHECK, organization_id: ORGANIZATION, ...newCheck(fields), ...placement, secrets },
});

/** Returns the binding of a secret to the check. */
export const binding = (fields: Partial<SecretBinding> = {}): SecretBinding => ({
  id: 'binding00001',
  secret_id: 'secret000001',
  env_variable: 'TOKEN',
  claim: 1,
  ...fields,
});

export const secretsChanged = (
  secrets: SecretBinding[],
  previous: SecretBinding[] = [],
): EventOf<'CheckSecretsChanged'> => ({
  type: 'CheckSecretsChanged',
  data: { check_id: CHECK, secrets, previous },
});

export const checkUpdated = (
  changes: Partial<CheckSettings>,
  previous: Partial<CheckSettings>,
): EventOf<'CheckUpdated'> => ({ type: 'CheckUpdated', data: { check_id: CHECK, changes, previous } });

export const parked = (fields: Partial<EventOf<'CheckParked'>['data']> = {}): EventOf<'CheckParked'> => ({
  type: 'CheckParked',
  data: {
    check_id: CHECK,
    run_id: 'run000000001',
    region: 'RU, Moscow',
    at: '2026-11-20T15:00:31.000000',
    cause: 'it was ended by SIGABRT',
    ...fields,
  },
});

export const released: EventOf<'CheckReleased'> = { type: 'CheckReleased', data: { check_id: CHECK } };

export const GROUP = 'group0000001';

export const checkGrouped = (fields: Partial<EventOf<'CheckGrouped'>['data']> = {}): EventOf<'CheckGrouped'> => ({
  type: 'CheckGrouped',
  data: { check_id: CHECK, group_id: GROUP, position: 1, previous: { group_id: null, position: null }, ...fields },
});

export const DELETED_AT = '2026-11-20T15:10:00.000000';
export const checkDeleted: EventOf<'CheckDeleted'> = {
  type: 'CheckDeleted',
  data: { check_id: CHECK, deleted_at: DELETED_AT },
};

export const checkRestored = (fields: Partial<EventOf<'CheckRestored'>['data']> = {}): EventOf<'CheckRestored'> => ({
  type: 'CheckRestored',
  data: {
    check_id: CHECK,
    organization_id: ORGANIZATION,
    deleted_at: DELETED_AT,
    restored_at: '2026-11-20T15:10:20.000000',
    active: true,
    interval: 60,
    parked: false,
    ...NO_GROUP,
    secrets: [],
    ...fields,
  },
});

export const verdict = (fields: Partial<CheckResultVerdict> = {}): CheckResultVerdict => ({
  good: true,
  check_id: CHECK,
  result_id: 'result000001',
  run_id: 'run000000001',
  slot: SLOT,
  region: 'RU, Moscow',
  at: '2026-11-20T15:00:31.000000',
  error_message: null,
  ...fields,
});

const decidedBy = (fields: Partial<CheckResultVerdict>): EventOf<'CheckCameUp'>['data'] => {
  const { check_id, result_id, run_id, slot, region, at } = verdict(fields);
  return { check_id, result_id, run_id, slot, region, at };
};

export const cameUp = (fields: Partial<CheckResultVerdict> = {}): EventOf<'CheckCameUp'> => ({
  type: 'CheckCameUp',
  data: decidedBy(fields),
});

export const wentDown = (fields: Partial<CheckResultVerdict> = {}): EventOf<'CheckWentDown'> => ({
  type: 'CheckWentDown',
  data: { ...decidedBy(fields), error_message: verdict(fields).error_message },
});

export const recovered = (fields: Partial<CheckResultVerdict> = {}): EventOf<'CheckRecovered'> => ({
  type: 'CheckRecovered',
  data: decidedBy(fields),
});
