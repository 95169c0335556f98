import { Type, type Static } from '@sinclair/typebox';
import { commonParameters } from '../../../domain/check/types/common.ts';
import { isFields } from '../../../domain/fields.ts';
import type { FieldMessages } from '../../../http/validation-messages.ts';
import { bodyFilter, selectionErrors, MAX_BULK_ITEMS, selectionFields, strictObject } from '../../bulk.ts';
import { Tags } from '../../schema.ts';
import { ruleFields } from '../alerts/rules/schema.ts';
import { overviewFilters } from './overview-schema.ts';
import { CheckChange, NewCheck } from './schema.ts';

const { active, group_id, interval, timeout, tags } = CheckChange.properties;

/** The query parameters that filter the overview, as a field of a request body. */
export const overviewFilter = bodyFilter(overviewFilters, {
  description: `Selects the checks that the overview shows for this filter, at most ${MAX_BULK_ITEMS.toLocaleString('en')}.`,
});

const only = (description: string) => Type.Optional(Type.Literal(true, { description }));

const change = strictObject(
  {
    active,
    group_id,
    interval,
    timeout,
    parameters: Type.Optional(
      strictObject({ regions: commonParameters.regions }, { description: 'All other parameters stay unchanged.' }),
    ),
    tags,
    add_tags: Type.Optional({ ...Tags, minItems: 1, description: 'Tags to add to each check.' }),
    remove_tags: Type.Optional({ ...Tags, minItems: 1, description: 'Tags to remove from each check.' }),
    channel_ids: Type.Optional({
      ...ruleFields.channel_ids,
      description:
        'Sets the channels of all alert rules of each check. A check without rules gets a rule that reports failures.',
    }),
    delete: only('Deletes the checks. It cannot be combined with other changes.'),
    restore: only(
      'Restores checks deleted in the last 30 seconds. It needs `ids` and cannot be combined with other changes.',
    ),
  },
  { description: 'What to set on each selected check.' },
);

/** Body of a bulk change of checks. Contains either `ids` or `filter` together with `change`, or only `create`. */
export const CheckBulk = Type.Object({
  ...selectionFields(overviewFilter.schema),
  change: Type.Optional(change),
  create: Type.Optional(
    Type.Array(Type.Unsafe<unknown>({ published: NewCheck }), {
      minItems: 1,
      maxItems: MAX_BULK_ITEMS,
      description: 'Checks to create. It cannot be combined with the other fields.',
    }),
  ),
});

export type CheckBulkChange = NonNullable<Static<typeof CheckBulk>['change']>;

const ALONE = ['delete', 'restore'] as const;

/** Validates a body beyond the schema of its fields. */
export const bulkBodyErrors = (_: unknown, body: unknown): FieldMessages | null => {
  if (!isFields(body)) return null;
  const { create, change } = body;
  if (create !== undefined) {
    const others = ['ids', 'filter', 'change'].filter((field) => body[field] !== undefined);
    const broken = Object.fromEntries(others.map((field) => [field, ["Can't be sent together with create."]]));
    return others.length === 0 ? null : broken;
  }
  const lacking = selectionErrors(body);
  if (!isFields(change)) return lacking;
  const alone = ALONE.find((field) => change[field] !== undefined);
  const broken: FieldMessages = {
    ...lacking,
    ...(alone && Object.keys(change).length > 1 && { [`change.${alone}`]: ["Can't be combined with other changes."] }),
    ...(change['tags'] !== undefined &&
      (change['add_tags'] ?? change['remove_tags']) !== undefined && {
        'change.tags': ["Can't be combined with add_tags or remove_tags."],
      }),
    // Filters do not match deleted checks.
    ...(change['restore'] !== undefined &&
      body['filter'] !== undefined && { filter: ["Can't select deleted checks; send their ids."] }),
  };
  return Object.keys(broken).length === 0 ? null : broken;
};
