import type { LiveSource } from '../../../live/live-data.ts';
import { call } from '../../../session/call.ts';
import type { Component } from './tree.ts';

/**
 * Returns a source that loads the components of a page. They are also reloaded after changes of incidents, which set
 * component statuses.
 */
export const componentsSource = (page_id: string): LiveSource<readonly Component[]> => ({
  load: (signal) => call('GET /v1/pages/{page_id}/components', { params: { page_id } }, { signal }),
  resources: ['component', 'incident'],
  merge: (components, changes) => (changes.some((change) => change.page_id === page_id) ? null : components),
});
