import { derivedUuid } from '../../../domain/identity.ts';
import { type Instant, millisecondsOf, SECOND_MS } from '../../../domain/time.ts';
import { oneLine } from '../../../messages/characters.ts';
import type { IncidentDocument } from '../../../projections/incidents/documents.ts';
import { incidentPath } from '../../../views/status/incidents.tsx';
import {
  bodyHtml,
  bodyText,
  headingHtml,
  paragraph,
  feedChangesOf,
  scheduleHtml,
  statusWord,
  type FeedChange,
  type FeedWording,
} from './incident-changes.ts';

/** A feed entry, independent of format. Its texts contain no characters that XML forbids. */
export interface FeedEntry {
  /** permanent id (RFC 4287, 4.2.6). It depends neither on the host nor on rebuilds of read models */
  id: string;
  title: string;
  /** path below the page's root */
  path: string;
  html: string;
  /** plain text */
  summary: string;
  /** time of publication in milliseconds since 1970; `updated`: time of the latest change */
  published: number;
  updated: number;
}

/** Maximum number of entries in a feed. */
export const MOST_ENTRIES = 50;
/** Maximum size of all texts of a feed, in UTF-8 bytes. `MOST_OF_ENTRY`: maximum size of the texts of one entry. */
export const MOST_BYTES = 900_000;
const MOST_OF_ENTRY = 250_000;
/**
 * Maximum length of a title, in UTF-16 units. A title consists of a name of at most 200 characters and a status of a
 * few words.
 */
const LONGEST_TITLE = 300;

/** Returns a URN derived from one of our ids. */
export const stableId = (key: string): string => `urn:uuid:${derivedUuid(key)}`;

const titled = (text: string): string => oneLine(text, LONGEST_TITLE);

/** Returns one entry for an incident. Each change of the incident updates the entry. */
export const historyEntry = (incident: IncidentDocument, wording: FeedWording): FeedEntry => {
  const changes = feedChangesOf(incident);
  const [newest] = changes;
  return {
    id: stableId(`incident ${incident.id}`),
    title: titled(incident.name),
    path: incidentPath(incident),
    html: scheduleHtml(incident, wording) + historyHtml(changes, wording),
    summary:
      newest === undefined ? '' : `${statusWord(newest, wording)}${wording.words.colon}${bodyText(newest, wording)}`,
    published: millisecondsOf(incident.created_at),
    updated: millisecondsOf(lastChangeTime(incident, changes)),
  };
};

/** Returns the changes of an incident as HTML, newest first. If they do not fit, the oldest ones are left out. */
const historyHtml = (changes: readonly FeedChange[], wording: FeedWording): string => {
  let html = '';
  for (const one of changes) {
    const next = headingHtml(one, wording) + bodyHtml(one, wording);
    if (Buffer.byteLength(html) + Buffer.byteLength(next) > MOST_OF_ENTRY)
      return html + paragraph(wording.pageWords.feeds.shortened);
    html += next;
  }
  return html;
};

/**
 * Returns the time of the latest change that readers see. Unlike `updated_at`, this time does not change when a
 * reminder is sent or metadata is edited.
 */
const lastChangeTime = ({ created_at, incident_updates }: IncidentDocument, changes: readonly FeedChange[]): Instant =>
  [...incident_updates.map(({ updated_at }) => updated_at), ...changes.map(({ at }) => at)].reduce(
    (last, at) => (at > last ? at : last),
    created_at,
  );

/**
 * Returns a generator of one entry per change, newest first. The dates of two entries differ by at least a second. This
 * is necessary because a chat program only shows entries that are newer than all entries it has already shown. If two
 * changes happened at the same time, the later one gets a later date. Edits do not affect the dates.
 *
 * @param changes of all incidents, newest first
 */
export const updateEntries = (changes: readonly FeedChange[], wording: FeedWording): (() => Generator<FeedEntry>) => {
  const dates: number[] = [];
  for (const { at } of [...changes].reverse()) {
    const date = Math.floor(millisecondsOf(at) / SECOND_MS) * SECOND_MS;
    dates.push(Math.max(date, (dates.at(-1) ?? 0) + SECOND_MS));
  }
  dates.reverse();
  return function* () {
    for (const [index, one] of changes.entries()) yield updateEntry(one, dates[index] ?? 0, wording);
  };
};

const updateEntry = (change: FeedChange, date: number, wording: FeedWording): FeedEntry => {
  return {
    id: stableId(change.key),
    title: titled(`${change.incident.name} – ${statusWord(change, wording)}`),
    path: `${incidentPath(change.incident)}#${change.anchor}`,
    html: headingHtml(change, wording) + bodyHtml(change, wording),
    summary: bodyText(change, wording),
    published: date,
    updated: date,
  };
};

/** Returns as many of the entries as fit into the feed, beginning with the first one. */
export const limitedEntries = async (entries: AsyncIterable<FeedEntry> | Iterable<FeedEntry>): Promise<FeedEntry[]> => {
  const kept: FeedEntry[] = [];
  let left = MOST_BYTES;
  for await (const entry of entries) {
    left -= Buffer.byteLength(entry.html) + Buffer.byteLength(entry.summary);
    if (left < 0 && kept.length > 0) break;
    kept.push(entry);
    if (kept.length >= MOST_ENTRIES) break;
  }
  return kept;
};
