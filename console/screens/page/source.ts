import type { LiveSource } from '../../live/live-data.ts';
import { call } from '../../session/call.ts';
import type { Page } from './draft.ts';

/** Returns a source that loads a page. */
export const pageSource = (page_id: string): LiveSource<Page> => ({
  load: (signal) => call('GET /v1/pages/{page_id}', { params: { page_id } }, { signal }),
  resources: ['page'],
  merge: (page, changes) => (changes.some(({ id }) => id === page_id) ? null : page),
});
