import { NotFound } from '../../../domain/errors.ts';
import { millisecondsOf } from '../../../domain/time.ts';
import { clean, oneLine } from '../../../messages/characters.ts';
import { pageWordsFor } from '../../../messages/page-words/index.ts';
import { wordsFor } from '../../../messages/words/index.ts';
import {
  readNewestIncidents,
  pageChangedAt,
  readRecentlyActiveIncidents,
} from '../../../queries/pages/newest-incidents.ts';
import { componentsForVisitors } from '../../../queries/pages/visible-components.ts';
import type { Route } from '../../route.ts';
import { pageRoute, type PageVisit } from '../page-route.ts';
import { incidentPath } from '../../../views/status/incidents.tsx';
import { absoluteRoot, publicResponse, type PublicText } from '../public-response.ts';
import { feedChangesOf, feedWordingOf, type FeedChange, type FeedWording } from './incident-changes.ts';
import { limitedEntries, historyEntry, MOST_ENTRIES, stableId, updateEntries, type FeedEntry } from './entries.ts';
import { FEED_FILES, type FeedFile, type FeedForm } from './files.ts';
import { findSubject, FOLDERS, folderOf, type FeedKind, type FeedSubject } from './subject.ts';

/** Yields the incidents of a subject, newest first. If the subject is an incident, yields only that one. */
async function* incidentsOf({ scope, page }: PageVisit, subject: FeedSubject) {
  if (subject.kind === 'incident') yield subject.incident;
  else {
    const which = subject.kind === 'page' ? {} : { componentIds: subject.componentIds };
    yield* readNewestIncidents(scope, page, which, MOST_ENTRIES);
  }
}

async function* history(visit: PageVisit, subject: FeedSubject, wording: FeedWording): AsyncGenerator<FeedEntry> {
  for await (const incident of incidentsOf(visit, subject)) yield historyEntry(incident, wording);
}

/** Returns the newest changes of a subject's incidents, newest first. */
const newestChanges = async (visit: PageVisit, subject: FeedSubject): Promise<readonly FeedChange[]> => {
  const active =
    subject.kind === 'page'
      ? readRecentlyActiveIncidents(visit.scope, visit.page, MOST_ENTRIES)
      : incidentsOf(visit, subject);
  let newest: FeedChange[] = [];
  for await (const incident of active) {
    // Incidents can be long, so keep only the entries that the feed shows.
    newest = [...newest, ...feedChangesOf(incident).slice(0, MOST_ENTRIES)].sort(newestFirst).slice(0, MOST_ENTRIES);
  }
  return newest;
};

const newestFirst = (a: FeedChange, b: FeedChange): number => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0);

/** Sorts the most recently changed entry first, as feed readers expect. */
const lastChangedFirst = (a: FeedEntry, b: FeedEntry): number => b.updated - a.updated || (a.id < b.id ? -1 : 1);

const entriesOf = async (
  visit: PageVisit,
  subject: FeedSubject,
  form: FeedForm,
  wording: FeedWording,
): Promise<readonly FeedEntry[]> => {
  if (form === 'history') return (await limitedEntries(history(visit, subject, wording))).sort(lastChangedFirst);
  return limitedEntries(updateEntries(await newestChanges(visit, subject), wording)());
};

/** Returns the path of a subject's page, below the page's root. */
const pathOf = (subject: FeedSubject): string =>
  subject.kind === 'incident'
    ? incidentPath(subject.incident)
    : subject.kind === 'page'
      ? ''
      : folderOf(subject.kind, subject.id).slice(0, -1);

const LONGEST_NAME = 200;

const feedText = async (
  visit: PageVisit,
  kind: FeedKind,
  id: string,
  { name, form, write }: FeedFile,
): Promise<PublicText> => {
  const { page, scope } = visit;
  if (!page.allow_rss_atom_feeds) throw new NotFound('This page has no feeds.');
  const components = await componentsForVisitors(scope, page);
  const subject = await findSubject(visit, kind, id, components);
  const pageWords = pageWordsFor(page.language);
  const wording = feedWordingOf(wordsFor(page.language), pageWords, page.time_zone, components.all);
  const titles = [page.name, ...('name' in subject ? [subject.name] : []), pageWords.feeds[form]];
  const [entries, changedAt] = await Promise.all([
    entriesOf(visit, subject, form, wording),
    pageChangedAt(scope, page, components.all),
  ]);
  const text = write({
    id: stableId(`${form} of ${kind} ${kind === 'page' ? page.id : id}`),
    title: titles.map((title) => oneLine(title, LONGEST_NAME)).join(' – '),
    author: oneLine(page.name, LONGEST_NAME),
    description: clean(page.page_description),
    language: page.language,
    root: absoluteRoot(visit),
    path: pathOf(subject),
    self: `${folderOf(kind, id)}${name}`,
    since: millisecondsOf(page.created_at),
    entries,
  });
  return { text, changedAt };
};

const feedRoute = (kind: FeedKind, file: FeedFile): Route =>
  pageRoute({
    path: `/${FOLDERS[kind]}${file.name}`,
    summary: `The feed ${file.name} of ${NAMES[kind]}`,
    produces: [file.type],
    anyHeaders: true,
    crossOrigin: true,
    answer: (visit, { params }) => {
      const [id = ''] = Object.values(params);
      return publicResponse(visit, `${file.name} of ${kind} ${id}`, () => feedText(visit, kind, id, file));
    },
  });

const NAMES: Readonly<Record<FeedKind, string>> = {
  page: 'a page',
  component: 'a component',
  group: 'a group of components',
  incident: 'an incident or a maintenance',
};

/** The feeds of a page, and of each component, group and incident (docs/reference/feeds.md#feeds). */
export const feedRoutes: readonly Route[] = (Object.keys(FOLDERS) as FeedKind[]).flatMap((kind) =>
  FEED_FILES.map((file) => feedRoute(kind, file)),
);
