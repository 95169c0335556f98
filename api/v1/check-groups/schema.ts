import { Type } from '@sinclair/typebox';
import { CHECK_GROUP_DEFAULTS } from '../../../domain/check-group/check-group.ts';
import { MAX_POSITION } from '../../../domain/position.ts';
import {
  choice,
  withDefaults,
  Id,
  InstantOut,
  ManagedBy,
  namedSchema,
  nullable,
  partial,
  Revision,
  text,
} from '../../schema.ts';
import { groupPosition } from '../checks/schema.ts';

/** The fields of a check group that a client can set (docs/reference/check-groups.md#group-fields). */
const fields = {
  name: text(100, { min: 1 }),
  description: nullable(text(500)),
  color: nullable(
    Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', sentence: 'Must be a color such as #1A7F37.', examples: ['#1A7F37'] }),
  ),
  position: Type.Integer({
    minimum: 1,
    maximum: MAX_POSITION,
    description: 'Position among the groups. Default: the end.',
  }),
  active: Type.Boolean({ description: 'If false, no check of the group runs on schedule.' }),
  managed_by: ManagedBy,
};

export const NewCheckGroup = Type.Object({ ...withDefaults(fields, CHECK_GROUP_DEFAULTS), name: fields.name });
export const CheckGroupChange = partial(Type.Object(fields));

const amount = Type.Integer({ minimum: 0 });

export const CheckGroup = namedSchema(
  'CheckGroup',
  Type.Object({
    id: Id,
    ...fields,
    checks_count: amount,
    status: nullable(
      choice(['down', 'pending', 'up', 'paused'], {
        description: 'The worst status of its active checks; `paused` if none is active, null without checks.',
      }),
    ),
    status_summary: Type.Object(
      { total: amount, up: amount, down: amount, pending: amount, paused: amount },
      { description: 'Number of checks by status. Inactive checks are paused, and all checks of an inactive group.' },
    ),
    revision: Revision,
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);

/** Body of a move to a group. */
export const GroupPlacement = Type.Object({ group_id: nullable(Id), position: Type.Optional(nullable(groupPosition)) });

export const MovedCheck = Type.Object({ message: Type.String(), check_id: Id, group_id: nullable(Id) });
