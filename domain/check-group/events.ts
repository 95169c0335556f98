import { Type, type Static } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';

/** What a check group is set to (decisions.md: The families named without a shape). */
export const CheckGroupFields = Type.Object({
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  /** `#RRGGBB` */
  color: Type.Union([Type.String(), Type.Null()]),
  /** from 1 among the groups of the organization */
  position: Type.Integer(),
  /** false: none of its checks runs by itself, whatever their own switches say */
  active: Type.Boolean(),
});
export type CheckGroupFields = Static<typeof CheckGroupFields>;

const ids = { check_group_id: Type.String() };
const Changes = Type.Partial(CheckGroupFields);

/**
 * Events of a check group, in `check_group-{check_group_id}`. Which checks are in it stands with the checks
 * (`CheckGrouped`); once it is deleted they are in no group, without an event of their own.
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
