import type { RequestOf } from '../api/request.ts';
import { filterOf } from '../screens/checks/filter.ts';

export type OverviewQuery = NonNullable<RequestOf<'GET /v1/checks/overview'>['query']>;

/** Maximum number of checks that a search returns. */
export const MAX_MATCHES = 20;

/** Maximum length of a text filter of the check list. */
const LONGEST_TEXT = 100;

const STATUSES = ['down', 'pending', 'up', 'paused'] as const;
const TYPES = ['web', 'tcp', 'ssl', 'api', 'portscan', 'synthetic', 'multistep', 'icmp', 'dns'] as const;
const TAG = /^[a-z0-9._:-]{1,50}$/;

/**
 * Returns the requests that find checks for the typed text: `checkout`, or a filter such as `tag:eu status:down`. If
 * the text could be a tag, a first request searches names and targets, and a second one searches tags.
 *
 * @returns the requests; empty if no check can match
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
  const basics = { page_size: MAX_MATCHES, sort: 'status' as const };
  const first: OverviewQuery = {
    ...basics,
    ...(q !== '' && { q }),
    ...(status.length > 0 && { status }),
    ...(type.length > 0 && { type }),
    ...(tag.length > 0 && { tag }),
  };
  return !hasCondition && TAG.test(q) ? [first, { ...basics, tag: [q] }] : [first];
};
