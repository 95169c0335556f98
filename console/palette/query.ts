import type { RequestOf } from '../api/request.ts';
import { filterOf } from '../screens/checks/filter.ts';

export type OverviewQuery = NonNullable<RequestOf<'GET /v1/checks/overview'>['query']>;

/** How many lines are found at most. */
export const MOST_FOUND = 20;

/** The longest text that the list of checks takes. */
const LONGEST_TEXT = 100;

const STATUSES = ['down', 'pending', 'up', 'paused'] as const;
const TYPES = ['web', 'tcp', 'ssl', 'api', 'portscan', 'synthetic', 'multistep', 'icmp', 'dns'] as const;
const TAG = /^[a-z0-9._:-]{1,50}$/;

/**
 * The requests that find checks by what is typed: `checkout`, or a filter such as `tag:eu status:down`. A text that can
 * be a tag is searched for in names and targets, and then among tags.
 *
 * @returns none: nothing can be found
 */
export const overviewQueries = (typed: string): readonly OverviewQuery[] => {
  const { statuses, types, tags, text } = filterOf(typed);
  const status = STATUSES.filter((one) => statuses.includes(one));
  const type = TYPES.filter((one) => types.includes(one));
  const tag = (tags[0] ?? []).filter((one) => TAG.test(one)).slice(0, 100);
  const isUnknown =
    (statuses.length > 0 && status.length === 0) ||
    (types.length > 0 && type.length === 0) ||
    (tags.length > 0 && tag.length === 0);
  const q = text.slice(0, LONGEST_TEXT);
  const hasCondition = status.length + type.length + tag.length > 0;
  if (isUnknown || (q === '' && !hasCondition)) return [];
  const basics = { page_size: MOST_FOUND, sort: 'status' as const };
  const first: OverviewQuery = {
    ...basics,
    ...(q !== '' && { q }),
    ...(status.length > 0 && { status }),
    ...(type.length > 0 && { type }),
    ...(tag.length > 0 && { tag }),
  };
  return !hasCondition && TAG.test(q) ? [first, { ...basics, tag: [q] }] : [first];
};
