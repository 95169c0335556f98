import { Type, type Static } from '@sinclair/typebox';
import type { DomainEvent, EventDefinitions, EventsOf } from '../event.ts';
import { managedBy } from '../managed/managed-by.ts';

/** The fields of a check group (docs/reference/check-groups.md#group-fields). */
export const CheckGroupFields = Type.Object({
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  /** `#RRGGBB` */
  color: Type.Union([Type.String(), Type.Null()]),
  /** position among the groups of the organization, from 1 */
  position: Type.Integer(),
  /** If false, no check of the group runs on schedule, even if the check itself is active. */
  active: Type.Boolean(),
  ...managedBy,
});
export type CheckGroupFields = Static<typeof CheckGroupFields>;

const ids = { check_group_id: Type.String() };
const Changes = Type.Partial(CheckGroupFields);

/**
 * Events of a check group, in its stream `check_group-{check_group_id}`. The streams of checks record the group of each
 * check (`CheckGrouped`). After a `CheckGroupDeleted`, the checks of the group have no group. No further event records
 * this.
 */
export const checkGroupEvents = {
  CheckGroupCreated: {
    version: 2,
    data: Type.Object({ ...ids, organization_id: Type.String(), check_group: CheckGroupFields }),
  },
  CheckGroupUpdated: { version: 2, data: Type.Object({ ...ids, changes: Changes, previous: Changes }) },
  CheckGroupDeleted: { version: 1, data: Type.Object(ids) },
} as const satisfies EventDefinitions;

export type CheckGroupEvent = EventsOf<typeof checkGroupEvents>;

/** Whether an event belongs to a check group. */
export const isCheckGroupEvent = (event: DomainEvent): event is CheckGroupEvent => event.type in checkGroupEvents;
