import { Type, type Static } from '@sinclair/typebox';
import { COMPONENT_STATUSES } from '../../../domain/page/component-status.ts';
import { COMPONENT_DEFAULTS, isStartDate } from '../../../domain/page/components.ts';
import { MAX_NAME, MAX_TEXT } from '../../../domain/page/rules.ts';
import { MAX_POSITION } from '../../../domain/position.ts';
import {
  checked,
  choice,
  DayOut,
  defaulting,
  Id,
  InstantOut,
  named,
  nullable,
  partial,
  Revision,
  Tag,
  text,
} from '../../schema.ts';

/** The fields of a group that a caller can set; its status follows from its components. */
const groupFields = {
  name: text(MAX_NAME, { min: 1 }),
  description: nullable(text(MAX_TEXT)),
  group_id: nullable(Id),
  position: Type.Integer({ minimum: 1, maximum: MAX_POSITION }),
  showcase: Type.Boolean(),
  only_show_if_degraded: Type.Boolean(),
  start_date: nullable(
    checked(
      Type.String({
        examples: ['2026-11-20'],
        description: 'a date, or a timestamp whose day in the page’s zone counts',
      }),
      isStartDate,
      'Must be a date, YYYY-MM-DD, or an ISO 8601 timestamp.',
    ),
  ),
};
const fields = {
  ...groupFields,
  check_id: nullable({ ...Id, description: 'the check that watches it: its rules are quiet during a maintenance' }),
  check_tag: nullable({
    ...Tag,
    description:
      'in place of check_id: all checks with this tag watch it. Setting one of the two alone sets the other to null',
  }),
  show_response_times: Type.Boolean({
    description: 'its page shows the response times of its check, or of those with its tag; false for a group',
  }),
  status: choice(COMPONENT_STATUSES),
};

/** Bodies of PUT and PATCH: a field that is absent stays. `group` never changes. */
export const ComponentChange = partial(Type.Object(fields));
export const GroupChange = partial(Type.Object(groupFields));

/** Bodies of POST: only the name is required. */
export const NewComponent = Type.Object({
  ...defaulting({ ...fields, group: Type.Boolean({ description: 'true: a component group' }) }, COMPONENT_DEFAULTS),
  name: fields.name,
});
export const NewGroup = Type.Object({ ...defaulting(groupFields, COMPONENT_DEFAULTS), name: fields.name });

const shownFields = {
  id: Id,
  page_id: Id,
  name: fields.name,
  description: fields.description,
  group: Type.Boolean({ description: 'true for a component group' }),
  group_id: fields.group_id,
  position: fields.position,
  showcase: fields.showcase,
  only_show_if_degraded: fields.only_show_if_degraded,
  start_date: nullable(DayOut),
  check_id: fields.check_id,
  check_tag: fields.check_tag,
  show_response_times: fields.show_response_times,
  status: fields.status,
  revision: Revision,
  created_at: InstantOut,
  updated_at: InstantOut,
};

/** spec.md: Component and component group. */
export const Component = named('Component', Type.Object(shownFields));
export type Component = Static<typeof Component>;
