import { changedFields } from '../changes.ts';
import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { CheckGroupEvent, CheckGroupFields } from './events.ts';

export type CheckGroup =
  { status: 'absent' } | { status: 'there'; id: string; fields: CheckGroupFields } | { status: 'deleted' };

export const { existing, requireAbsent, onExisting } = lifecycleOf<CheckGroup>('check group');

/** Default fields of a new group. The default position depends on the other groups. */
export const CHECK_GROUP_DEFAULTS = {
  description: null,
  color: null,
  active: true,
} as const satisfies Partial<CheckGroupFields>;

/** The body of a request that creates a group. */
export type NewCheckGroup = Partial<CheckGroupFields> & Pick<CheckGroupFields, 'name'>;

/**
 * Creates a group.
 *
 * @param end the default position, which is after all existing groups
 */
export const createCheckGroup = (
  group: CheckGroup,
  id: string,
  organizationId: string,
  input: NewCheckGroup,
  end: number,
): CheckGroupEvent => {
  requireAbsent(group);
  return {
    type: 'CheckGroupCreated',
    data: {
      check_group_id: id,
      organization_id: organizationId,
      check_group: { ...CHECK_GROUP_DEFAULTS, position: end, ...input },
    },
  };
};

/** Changes the fields that differ from the current fields. @throws NotFound */
export const updateCheckGroup = (group: CheckGroup, input: Partial<CheckGroupFields>): CheckGroupEvent[] => {
  const { id, fields } = existing(group);
  const changed = changedFields(fields, input);
  return changed ? [{ type: 'CheckGroupUpdated', data: { check_group_id: id, ...changed } }] : [];
};

/** Deletes a group. The checks of the group are not deleted, and have no group afterwards. @throws NotFound */
export const deleteCheckGroup = (group: CheckGroup): CheckGroupEvent => ({
  type: 'CheckGroupDeleted',
  data: { check_group_id: existing(group).id },
});

const evolve = (group: CheckGroup, event: CheckGroupEvent): CheckGroup => {
  switch (event.type) {
    case 'CheckGroupCreated':
      return { status: 'there', id: event.data.check_group_id, fields: event.data.check_group };
    case 'CheckGroupUpdated':
      return onExisting(group, (there) => ({ ...there, fields: { ...there.fields, ...event.data.changes } }));
    case 'CheckGroupDeleted':
      return { status: 'deleted' };
    default:
      return unreachable(event);
  }
};

/** The decider of check groups. A group is a heading in lists of checks. Pausing a group pauses all its checks. */
export const checkGroupDecider: Decider<CheckGroup, CheckGroupEvent> = {
  category: 'check_group',
  initialState: { status: 'absent' },
  evolve,
};
