import { Type, type Static } from '@sinclair/typebox';
import type { DomainEvent, EventDefinitions, EventsOf } from '../event.ts';

/** The fields of a check group (docs/reference/check-groups.md#group-fields). */
export const CheckGroupFields = Type.Object({
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  /** `#RRGGBB` */
  color: Type.Union([Type.String(), Type.Null()]),
  /** from 1 among the groups of the organization */
  position: Type.Integer(),
  /** false: none of its checks runs on schedule, even if the check itself is active */
  active: Type.Boolean(),
});
export type CheckGroupFields = Static<typeof CheckGroupFields>;

const ids = { check_group_id: Type.String() };
const Changes = Type.Partial(CheckGroupFields);

/**
 * Events of a check group, in `check_group-{check_group_id}`. The checks' own streams record their group
 * (`CheckGrouped`). When a group is deleted, its checks have no group any more, without further events.
 */
export const checkGroupEvents = {
  CheckGroupCreated: {
    version: 1,
    data: Type.Object({ ...ids, organization_id: Type.String(), check_group: CheckGroupFields }),
  },
  CheckGroupUpdated: { version: 1, data: Type.Object({ ...ids, changes: Changes, previous: Changes }) },
  CheckGroupDeleted: { version: 1, data: Type.Object(ids) },
} as const satisfies EventDefinitions;

export type CheckGroupEvent = EventsOf<typeof checkGroupEvents>;

/** Whether an event concerns a check group rather than, for example, a check. */
export const isCheckGroupEvent = (event: DomainEvent): event is CheckGroupEvent => event.type in checkGroupEvents;
