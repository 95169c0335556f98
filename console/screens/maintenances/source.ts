import type { LiveSource } from '../../live/live-data.ts';
import { mergedList } from '../../live/merge-list.ts';
import { call } from '../../session/call.ts';
import { allPages, forEachOf, type StatusPage } from '../incidents/pages.ts';
import type { IncidentLine } from '../overview/sources.ts';

export interface Maintenances {
  /** sorted by start */
  maintenances: readonly IncidentLine[];
  pages: readonly StatusPage[];
}

/** Number of status pages whose maintenances are read concurrently. */
const AT_ONCE = 4;
/**
 * Maximum number of maintenances per response, and maximum number of responses per status page. The newest maintenances
 * are read first.
 */
const PAGE_SIZE = 100;
const MOST_ANSWERS = 5;

const STATUSES = ['scheduled', 'in_progress', 'verifying', 'completed'] as const;

const maintenancesOf = async (page_id: string, signal: AbortSignal): Promise<IncidentLine[]> => {
  const all: IncidentLine[] = [];
  for (let page = 1; page <= MOST_ANSWERS; page++) {
    const query = { status: STATUSES, updates: false, page, page_size: PAGE_SIZE };
    const params = { page_id };
    const answer = await call('GET /v1/pages/{page_id}/incidents/maintenance', { params, query }, { signal });
    if (!('pagination' in answer)) break;
    all.push(...answer.incidents);
    if (!answer.pagination.has_next) break;
  }
  return all;
};

const byBeginning = (one: IncidentLine, other: IncidentLine): number =>
  (one.scheduled_for ?? '').localeCompare(other.scheduled_for ?? '');

/** The maintenances of all status pages. */
export const MAINTENANCES: LiveSource<Maintenances> = {
  load: async (signal) => {
    const pages = await allPages(signal);
    const maintenances: IncidentLine[] = [];
    await forEachOf(pages, AT_ONCE, async ({ id }) => {
      maintenances.push(...(await maintenancesOf(id, signal)));
    });
    return { pages, maintenances: maintenances.sort(byBeginning) };
  },
  resources: ['incident', 'page'],
  merge: ({ pages, maintenances }, changes) => {
    if (changes.some(({ resource }) => resource === 'page')) return null;
    const merged = mergedList(maintenances, changes, ({ scheduled_for }) => scheduled_for !== null);
    return merged && { pages, maintenances: merged.sort(byBeginning) };
  },
};
