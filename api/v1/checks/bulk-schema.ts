import { Type, type Static } from '@sinclair/typebox';
import { commonParameters } from '../../../domain/check/types/common.ts';
import { isFields } from '../../../domain/fields.ts';
import type { Sentences } from '../../../http/sentences.ts';
import { bodyFilter, brokenSelection, MOST_ITEMS, selecting, strictly } from '../../bulk.ts';
import { Tags } from '../../schema.ts';
import { ruleFields } from '../alerts/rule-schema.ts';
import { overviewFilters } from './overview-schema.ts';
import { CheckChange, NewCheck } from './schema.ts';

const { active, group_id, interval, timeout, tags } = CheckChange.properties;

/** The filter of the overview. */
export const overviewFilter = bodyFilter(overviewFilters, {
  description: `the checks that the overview shows for it, at most ${MOST_ITEMS.toLocaleString('en')}`,
});

const only = (description: string) => Type.Optional(Type.Literal(true, { description }));

const change = strictly(
  {
    active,
    group_id,
    interval,
    timeout,
    parameters: Type.Optional(strictly({ regions: commonParameters.regions }, { description: 'all others stay' })),
    tags,
    add_tags: Type.Optional({ ...Tags, minItems: 1, description: 'added to the tags of each check' }),
    remove_tags: Type.Optional({ ...Tags, minItems: 1, description: 'taken from the tags of each check' }),
    channel_ids: Type.Optional({
      ...ruleFields.channel_ids,
      description: 'sets the channels of all alert rules of the check; one without rules gets one that tells failures',
    }),
    delete: only('deletes the checks; nothing else can be changed then'),
    restore: only('restores checks that were deleted in the last 30 seconds; with ids, and nothing else'),
  },
  { description: 'what is set for each of them' },
);

/** Body of a bulk change of checks: `ids` or `filter` with a `change`, or `create` alone. */
export const CheckBulk = Type.Object({
  ...selecting(overviewFilter.schema),
  change: Type.Optional(change),
  create: Type.Optional(
    Type.Array(Type.Unsafe<unknown>({ published: NewCheck }), {
      minItems: 1,
      maxItems: MOST_ITEMS,
      description: 'checks to be created, in place of all else',
    }),
  ),
});

export type CheckBulkChange = NonNullable<Static<typeof CheckBulk>['change']>;

const ALONE = ['delete', 'restore'] as const;

/** What is wrong with a body besides the form of its fields. */
export const brokenBulk = (_: unknown, body: unknown): Sentences | null => {
  if (!isFields(body)) return null;
  const { create, change } = body;
  if (create !== undefined) {
    const others = ['ids', 'filter', 'change'].filter((field) => body[field] !== undefined);
    const broken = Object.fromEntries(others.map((field) => [field, ["Can't be sent together with create."]]));
    return others.length === 0 ? null : broken;
  }
  const lacking = brokenSelection(body);
  if (!isFields(change)) return lacking;
  const alone = ALONE.find((field) => change[field] !== undefined);
  const broken: Sentences = {
    ...lacking,
    ...(alone && Object.keys(change).length > 1 && { [`change.${alone}`]: ["Can't be combined with other changes."] }),
    ...(change['tags'] !== undefined &&
      (change['add_tags'] ?? change['remove_tags']) !== undefined && {
        'change.tags': ["Can't be combined with add_tags or remove_tags."],
      }),
    // Filters find what is there.
    ...(change['restore'] !== undefined &&
      body['filter'] !== undefined && { filter: ["Can't select deleted checks; send their ids."] }),
  };
  return Object.keys(broken).length === 0 ? null : broken;
};
