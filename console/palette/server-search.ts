import { call } from '../session/call.ts';
import { words } from '../shell/language.ts';
import { filterOf, checkMatches, type Row } from '../screens/checks/filter.ts';
import { stateOf } from '../screens/checks/figures.ts';
import type { PaletteItem } from './item.ts';
import { rankedMatches } from './ranking.ts';
import { MAX_MATCHES, overviewQueries } from './overview-queries.ts';

const LONGEST_NAME = 255;
/** Maximum number of pages that the palette searches. Further pages can only be found on the screen of pages. */
const MOST_PAGES = 100;

interface PageName {
  id: string;
  name: string;
}

/** Loads the organization's pages once. */
export type LoadPagesOnce = (signal: AbortSignal) => Promise<readonly PageName[]>;

/** Loads the pages when they are first needed. @throws Failure */
export const pagesOnce = (): LoadPagesOnce => {
  let known: readonly PageName[] | null = null;
  return async (signal) =>
    (known ??= (await call('GET /v1/pages', { query: { page_size: MOST_PAGES } }, { signal, present: true })).pages);
};

const itemOfCheck = ({ id, name, status, type, tags }: Row): PaletteItem => ({
  id: `check ${id}`,
  group: 'checks',
  icon: 'checks',
  state: stateOf(status),
  name,
  isName: true,
  note: [words.value.states[status], type, ...tags].join(' · '),
  to: `/checks/${encodeURIComponent(id)}`,
});

/** Returns an item that opens a page or one of its parts. */
export const itemOfPage = ({ id, name }: PageName, below = ''): PaletteItem => ({
  id: `page ${id}`,
  group: 'pages',
  icon: 'pages',
  name,
  isName: true,
  to: `/pages/${encodeURIComponent(id)}${below}`,
});

async function* findChecks(typed: string, signal: AbortSignal): AsyncGenerator<readonly PaletteItem[]> {
  const found = new Set<string>();
  // The service returns checks that have any of several tags. Drop those that do not have all of the tags.
  const filter = { ...filterOf(typed), text: '' };
  for (const query of overviewQueries(typed)) {
    if (found.size >= MAX_MATCHES) return;
    const { checks } = await call('GET /v1/checks/overview', { query }, { signal, present: true });
    const rows = checks.filter((row) => !found.has(row.id) && checkMatches(row, filter, found));
    const taken = rows.slice(0, MAX_MATCHES - found.size);
    for (const { id } of taken) found.add(id);
    yield taken.map(itemOfCheck);
  }
}

/**
 * Creates a search that finds checks by name, target and tag, and heartbeats and pages by name. It yields at most 20
 * items in total and sends one request at a time.
 *
 * @throws Failure
 */
export const createFinder = (pages: LoadPagesOnce) =>
  async function* find(typed: string, signal: AbortSignal): AsyncGenerator<readonly PaletteItem[]> {
    let left = MAX_MATCHES;
    for await (const checks of findChecks(typed, signal)) {
      left -= checks.length;
      yield checks;
    }
    const { text, statuses, types, tags } = filterOf(typed);
    if (left <= 0 || text === '' || statuses.length + types.length + tags.length > 0) return;
    const query = { name: text.slice(0, LONGEST_NAME), per_page: left };
    const heartbeats = (await call('GET /v1/heartbeats', { query }, { signal, present: true })).checks;
    left -= heartbeats.length;
    yield heartbeats.map(({ id, name, tags }) => ({
      id: `heartbeat ${id}`,
      group: 'heartbeats' as const,
      icon: 'heartbeats' as const,
      name,
      isName: true,
      note: tags.join(' · '),
      to: `/heartbeats/${encodeURIComponent(id)}`,
    }));
    if (left <= 0) return;
    yield rankedMatches(await pages(signal), text, ({ name }) => name)
      .slice(0, left)
      .map((page) => itemOfPage(page));
  };
