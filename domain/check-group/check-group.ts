import { changedFields } from '../changes.ts';
import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../lifecycle.ts';
import type { CheckGroupEvent, CheckGroupFields } from './events.ts';

export type CheckGroup =
  { status: 'absent' } | { status: 'there'; id: string; fields: CheckGroupFields } | { status: 'deleted' };

export const { existing, requireAbsent, onExisting } = lifecycleOf<CheckGroup>('check group');

/** What a new group is set to where nothing was sent; its place is the end. */
export const CHECK_GROUP_DEFAULTS = {
  description: null,
  color: null,
  active: true,
} as const satisfies Partial<CheckGroupFields>;

/** A group as a caller sends it to be made. */
export type NewCheckGroup = Partial<CheckGroupFields> & Pick<CheckGroupFields, 'name'>;

/** @param end the position after the last group */
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

/** Changes what differs. @throws NotFound */
export const updateCheckGroup = (group: CheckGroup, input: Partial<CheckGroupFields>): CheckGroupEvent[] => {
  const { id, fields } = existing(group);
  const changed = changedFields(fields, input);
  return changed ? [{ type: 'CheckGroupUpdated', data: { check_group_id: id, ...changed } }] : [];
};

/** Its checks stay, and are in no group from then on. @throws NotFound */
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

/** A group of checks: a heading under which they are listed, and a switch that stops them together. */
export const checkGroupDecider: Decider<CheckGroup, CheckGroupEvent> = {
  category: 'check_group',
  initialState: { status: 'absent' },
  evolve,
};
