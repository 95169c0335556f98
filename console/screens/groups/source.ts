import type { Schemas } from '../../api/openapi.d.ts';
import type { LiveSource } from '../../live/live-data.ts';
import { call } from '../../session/call.ts';

export type Group = Schemas['CheckGroup'];

/**
 * All groups, in order. A group is also reloaded when its checks change, because the group contains counts of its
 * checks.
 */
export const GROUPS: LiveSource<readonly Group[]> = {
  load: async (signal) => {
    const groups: Group[] = [];
    for (let page = 1; ; page++) {
      const answer = await call('GET /v1/check-groups', { query: { page, page_size: 100 } }, { signal });
      groups.push(...answer.groups);
      if (!answer.pagination.has_next) return groups;
    }
  },
  resources: ['check_group', 'check'],
  merge: () => null,
};
