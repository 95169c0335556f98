import type { Schemas } from '../../../api/openapi.d.ts';
import type { LiveSource } from '../../../live/live-data.ts';
import { call } from '../../../session/call.ts';
import { STATUSES, type Filter, type Status, type Subscriber } from './filter.ts';

export interface SubscriberPage {
  subscribers: readonly Subscriber[];
  pagination: Schemas['Pagination'];
  counts: Readonly<Record<Status, number>>;
}

const PAGE_SIZE = 50;

type SubscriberQuery = Pick<Filter, 'q' | 'mode'> & { page: number; page_size: number; status: Status | '' };

const listed = async (page_id: string, { q, mode, status, ...pages }: SubscriberQuery, signal: AbortSignal) => {
  const query = {
    ...pages,
    ...(q !== '' && { q }),
    ...(mode !== '' && { mode: [mode] }),
    ...(status !== '' && { status: [status] }),
  };
  const answer = await call('GET /v1/pages/{page_id}/subscribers', { params: { page_id }, query }, { signal });
  if (!('pagination' in answer)) throw new TypeError('The response has no pagination.');
  return answer;
};

/** Returns a source that loads the subscribers that match a filter, with the counts of all subscribers. */
export const subscribersSource = (page_id: string, { page, q, mode, status }: Filter): LiveSource<SubscriberPage> => ({
  load: async (signal) => {
    const countOf = async (one: Status): Promise<number> => {
      const asked = { q: '', mode: '', status: one, page: 1, page_size: 1 } as const;
      return (await listed(page_id, asked, signal)).pagination.total_items;
    };
    const [answer, active, pending, quarantined, unsubscribed] = await Promise.all([
      listed(page_id, { q, mode, status, page, page_size: PAGE_SIZE }, signal),
      ...STATUSES.map(countOf),
    ]);
    const counts = { active, pending, quarantined, unsubscribed } as Record<Status, number>;
    return { ...answer, counts };
  },
  resources: ['subscriber'],
  merge: (value, changes) => (changes.some((change) => change.page_id === page_id) ? null : value),
});
