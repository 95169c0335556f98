import { Failure } from '../../api/failure.ts';
import type { LiveSource } from '../../live/live-data.ts';
import { mergedList } from '../../live/merge-list.ts';
import { call } from '../../session/call.ts';
import { changeMany } from '../checks/actions.ts';
import type { Rows } from '../checks/source.ts';
import type { Heartbeat } from '../heartbeats/source.ts';
import { withReplacedTag } from './counts.ts';

/** All heartbeats. */
export const ALL_HEARTBEATS: LiveSource<readonly Heartbeat[]> = {
  load: async (signal) => {
    const all: Heartbeat[] = [];
    for (let page = 1, created: string | undefined; ; page++) {
      const query = { page, per_page: 100, ...(created !== undefined && { created_until: created }) };
      const { checks, pagination } = await call('GET /v1/heartbeats', { query }, { signal });
      created ??= checks[0]?.created_at;
      all.push(...checks);
      if (!pagination.has_next) return all;
    }
  },
  resources: ['heartbeat'],
  merge: (all, changes) => mergedList(all, changes, () => true),
};

/**
 * Replaces a tag on all checks and heartbeats, or removes it.
 *
 * @throws Failure some objects may have been changed already; a retry changes the remaining objects
 */
export const replaceTag = async (
  { checks, heartbeats }: { checks: Rows; heartbeats: readonly Heartbeat[] },
  tag: string,
  next: string | null,
): Promise<void> => {
  const ids = [...checks.values()].filter(({ tags }) => tags.includes(tag)).map(({ id }) => id);
  if (ids.length > 0) {
    const change = { remove_tags: [tag], ...(next !== null && { add_tags: [next] }) };
    const { failure } = await changeMany(ids, change);
    if (failure instanceof Failure) throw failure;
  }
  for (const { id, tags, revision } of heartbeats.filter((one) => one.tags.includes(tag)))
    await call(
      'PATCH /v1/heartbeats/{heartbeat_key}',
      { params: { heartbeat_key: id }, body: { tags: withReplacedTag(tags, tag, next) } },
      { headers: { 'If-Match': `"${revision}"` } },
    );
};
