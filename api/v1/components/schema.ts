import { Type, type Static } from '@sinclair/typebox';
import { COMPONENT_STATUSES } from '../../../domain/page/component-status.ts';
import { COMPONENT_DEFAULTS, isStartDate } from '../../../domain/page/components.ts';
import { MAX_NAME, MAX_TEXT } from '../../../domain/page/rules.ts';
import { MAX_POSITION } from '../../../domain/position.ts';
import {
  withCheck,
  choice,
  DayOut,
  withDefaults,
  Id,
  InstantOut,
  ManagedBy,
  namedSchema,
  nullable,
  partial,
  Revision,
  Tag,
  text,
} from '../../schema.ts';

/** The fields of a group that a client can set. The status is not among them: it is computed from the components. */
const groupFields = {
  name: text(MAX_NAME, { min: 1 }),
  description: nullable(text(MAX_TEXT)),
  group_id: nullable(Id),
  position: Type.Integer({ minimum: 1, maximum: MAX_POSITION }),
  showcase: Type.Boolean(),
  only_show_if_degraded: Type.Boolean(),
  start_date: nullable(
    withCheck(
      Type.String({
        examples: ['2026-11-20'],
        description: 'A date, or a timestamp, of which the day in the time zone of the page counts.',
      }),
      isStartDate,
      'Must be a date, YYYY-MM-DD, or an ISO 8601 timestamp.',
    ),
  ),
  managed_by: ManagedBy,
};
const fields = {
  ...groupFields,
  check_id: nullable({
    ...Id,
    description: 'The check that monitors the component. Its alert rules are suppressed during a maintenance.',
  }),
  check_tag: nullable({
    ...Tag,
    description:
      'Instead of `check_id`: all checks with this tag monitor the component. Setting only one of the two clears the other.',
  }),
  show_response_times: Type.Boolean({
    description: 'Whether the page shows the response times of its checks. Always false for a group.',
  }),
  status: choice(COMPONENT_STATUSES),
};

/** Bodies of PUT and PATCH: absent fields stay unchanged. `group` never changes. */
export const ComponentChange = partial(Type.Object(fields));
export const GroupChange = partial(Type.Object(groupFields));

/** Bodies of POST: only the name is required. */
export const NewComponent = Type.Object({
  ...withDefaults(
    { ...fields, group: Type.Boolean({ description: 'Whether this is a component group.' }) },
    COMPONENT_DEFAULTS,
  ),
  name: fields.name,
});
export const NewGroup = Type.Object({ ...withDefaults(groupFields, COMPONENT_DEFAULTS), name: fields.name });

const shownFields = {
  id: Id,
  page_id: Id,
  name: fields.name,
  description: fields.description,
  group: Type.Boolean({ description: 'Whether this is a component group.' }),
  group_id: fields.group_id,
  position: fields.position,
  showcase: fields.showcase,
  only_show_if_degraded: fields.only_show_if_degraded,
  start_date: nullable(DayOut),
  check_id: fields.check_id,
  check_tag: fields.check_tag,
  show_response_times: fields.show_response_times,
  status: fields.status,
  managed_by: fields.managed_by,
  revision: Revision,
  created_at: InstantOut,
  updated_at: InstantOut,
};

/** See docs/reference/components.md#fields. */
export const Component = namedSchema('Component', Type.Object(shownFields));
export type Component = Static<typeof Component>;
