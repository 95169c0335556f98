import type { EventOf } from '../../../domain/event-types.ts';
import type { CheckGroupFields } from '../../../domain/check-group/events.ts';
import { GROUP, ORGANIZATION } from '../check/examples.ts';

/** Events of one check group, for tests. */
export const groupFields = (fields: Partial<CheckGroupFields> = {}): CheckGroupFields => ({
  name: 'Shops',
  description: null,
  color: null,
  position: 1,
  active: true,
  ...fields,
});

export const groupCreated = (fields: Partial<CheckGroupFields> = {}): EventOf<'CheckGroupCreated'> => ({
  type: 'CheckGroupCreated',
  data: { check_group_id: GROUP, organization_id: ORGANIZATION, check_group: groupFields(fields) },
});

export const groupUpdated = (
  changes: Partial<CheckGroupFields>,
  previous: Partial<CheckGroupFields>,
): EventOf<'CheckGroupUpdated'> => ({ type: 'CheckGroupUpdated', data: { check_group_id: GROUP, changes, previous } });

export const groupDeleted: EventOf<'CheckGroupDeleted'> = {
  type: 'CheckGroupDeleted',
  data: { check_group_id: GROUP },
};

export const paused = groupUpdated({ active: false }, { active: true });
export const resumed = groupUpdated({ active: true }, { active: false });
