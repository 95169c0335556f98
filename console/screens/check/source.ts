import type { Schemas } from '../../api/openapi.d.ts';
import type { LiveSource } from '../../live/live-data.ts';
import type { StreamedChange } from '../../live/stream-events.ts';
import { call } from '../../session/call.ts';
import { PAGE_SIZE } from './query.ts';

export type Check = Schemas['Check'];
export type Result = Schemas['CheckResult'];

/** The loaded data of a check. */
export interface LoadedCheck {
  check: Check;
  /** whether the check was deleted while the screen was open */
  isDeleted: boolean;
}

/** Returns a source that loads a check with its settings. */
export const checkSource = (check_id: string): LiveSource<LoadedCheck> => ({
  load: async (signal) => ({
    check: await call('GET /v1/checks/{check_id}', { params: { check_id } }, { signal }),
    isDeleted: false,
  }),
  resources: ['check'],
  merge: (known, changes) => {
    const last = changes.filter(({ id }) => id === check_id).at(-1);
    if (!last) return known;
    return last.change === 'deleted' ? { ...known, isDeleted: true } : null;
  },
});

/** Returns a source that is reloaded whenever a change affects its data. */
export const reloadedBy = <T>(
  load: LiveSource<T>['load'],
  resources: readonly string[],
  concerns: (change: StreamedChange) => boolean,
): LiveSource<T> => ({
  load,
  resources,
  merge: (value, changes) => (changes.some(concerns) ? null : value),
});

/** Returns a source that loads the newest results of a check. */
export const latestSource = (check_id: string): LiveSource<ResultPage> =>
  reloadedBy(
    (signal) =>
      call('GET /v1/checks/{check_id}/results', { params: { check_id }, query: { page_size: PAGE_SIZE } }, { signal }),
    ['check'],
    ({ id, change }) => id === check_id && change !== 'deleted',
  );

export interface ResultPage {
  results: readonly Result[];
  pagination: Schemas['Pagination'];
}
