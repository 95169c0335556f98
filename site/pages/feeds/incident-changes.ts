import type { ComponentMap } from '../../../domain/incident/fields.ts';
import type { IncidentStatus } from '../../../domain/incident/statuses.ts';
import type { Instant } from '../../../domain/time.ts';
import { clean, escaped, shortened } from '../../../messages/characters.ts';
import { markdownHtml } from '../../../messages/markdown/html.ts';
import { markdownText } from '../../../messages/markdown/text.ts';
import type { PageWords } from '../../../messages/page-words/index.ts';
import { timesOf, type Times } from '../../../messages/times.ts';
import type { Words } from '../../../messages/words/index.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import type { IncidentDocument } from '../../../projections/incidents/documents.ts';

/** The page's language, time zone and components, for the texts of a feed. */
export interface FeedWording {
  words: Words;
  pageWords: PageWords;
  times: Times;
  components: ReadonlyMap<string, Pick<ComponentDocument, 'name'>>;
}

export const feedWordingOf = (
  words: Words,
  pageWords: PageWords,
  timeZone: string,
  components: readonly ComponentDocument[],
): FeedWording => ({
  words,
  pageWords,
  times: timesOf(words, timeZone),
  components: new Map(components.map((one) => [one.id, one])),
});

/** A change of an incident at a point in time: an update, a change of status or a postmortem. */
export interface FeedChange {
  /** key from which the id of the feed entry is derived */
  key: string;
  /** anchor of the change on the incident's page */
  anchor: string;
  at: Instant;
  incident: Pick<IncidentDocument, 'id' | 'kind' | 'name'>;
  /** `postmortem`: a published postmortem */
  status: IncidentStatus | 'postmortem';
  /** Markdown text, which may be empty; null: the text is withheld */
  body: string | null;
  /** statuses of the affected components */
  named: ComponentMap;
  /** whether the change has a text that somebody wrote; false: only the status changed */
  written: boolean;
}

/** Returns all changes of an incident, newest first. */
export const feedChangesOf = (incident: IncidentDocument): FeedChange[] => {
  const { id, kind, name, postmortem_body, postmortem_published_at } = incident;
  const about = { id, kind, name };
  const updates = incident.incident_updates.map(
    ({ id: updateId, display_at, status, body, withheld_at, components }): FeedChange => ({
      key: `incident update ${updateId}`,
      anchor: updateId,
      at: display_at,
      incident: about,
      status,
      body: withheld_at === null ? body : null,
      named: components,
      written: true,
    }),
  );
  const changes = incident.facts
    .filter(({ update_id }) => update_id === null)
    .map(({ at, status, components }): FeedChange => ({
      key: `status of ${id} at ${at}: ${status}`,
      anchor: status,
      at,
      incident: about,
      status,
      body: '',
      named: components,
      written: false,
    }));
  const postmortem: FeedChange[] =
    postmortem_body === null || postmortem_published_at === null
      ? []
      : [
          {
            key: `postmortem of ${id}`,
            anchor: 'postmortem',
            at: postmortem_published_at,
            incident: about,
            status: 'postmortem',
            body: postmortem_body,
            named: {},
            written: true,
          },
        ];
  // If several changes have the same time, the change that is later in the log comes first.
  return [...postmortem, ...changes.reverse(), ...updates].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
};

export const statusWord = ({ status }: Pick<FeedChange, 'status'>, { words, pageWords }: FeedWording): string =>
  status === 'postmortem' ? pageWords.incidents.postmortem : words.incidentStatus[status];

/** Returns the standard sentence for changes without a text. */
const sentenceOf = ({ status, written, incident: { kind } }: FeedChange, { words }: FeedWording): string => {
  if (written) return '';
  if (status === 'in_progress') return words.sentence['maintenance.started'];
  if (status === 'completed') return words.sentence['maintenance.completed'];
  if (status === 'resolved') return words.sentence['incident.resolved'];
  return words.sentence[kind === 'maintenance' ? 'maintenance.updated' : 'incident.updated'];
};

const componentsOf = ({ named, status }: FeedChange, { components, words }: FeedWording): string[] =>
  Object.entries(named).flatMap(([id, set]) => {
    const component = components.get(id);
    if (!component) return [];
    // A maintenance that has not begun only names the components that it will affect. Their status has not changed yet.
    return [status === 'scheduled' ? component.name : `${component.name} (${words.componentStatus[set]})`];
  });

/** Returns a change as HTML, without its heading. */
export const bodyHtml = (change: FeedChange, wording: FeedWording): string => {
  const { words, pageWords } = wording;
  const body = change.body === null ? paragraph(pageWords.incidents.withheld) : markdownHtml(change.body);
  const sentence = sentenceOf(change, wording);
  const affected = componentsOf(change, wording).join(', ');
  const label = `${pageWords.incidents.affectedComponents}${words.colon}`;
  return [
    body,
    sentence === '' ? '' : paragraph(sentence),
    affected === '' ? '' : paragraph(`${label}${affected}`),
  ].join('');
};

/** Returns a change as a plain text summary of a few lines. */
export const bodyText = (change: FeedChange, wording: FeedWording): string => {
  if (change.body === null) return wording.pageWords.incidents.withheld;
  const text = markdownText(change.body);
  return shortened(text === '' ? sentenceOf(change, wording) : text, LONGEST_SUMMARY);
};

const LONGEST_SUMMARY = 500;

/** Returns the heading of a change: `Resolved – Nov 20, 2026, 15:04 UTC`. */
export const headingHtml = (change: FeedChange, wording: FeedWording): string =>
  `<p><strong>${escaped(statusWord(change, wording))}</strong> – ${escaped(wording.times.moment(change.at))}</p>\n`;

/** Returns the schedule of a maintenance as HTML, or an empty text for an incident. */
export const scheduleHtml = (
  { scheduled_for, scheduled_until }: Pick<IncidentDocument, 'scheduled_for' | 'scheduled_until'>,
  { words, times }: FeedWording,
): string =>
  scheduled_for === null || scheduled_until === null
    ? ''
    : paragraph(`${words.mail.scheduled}${words.colon}${times.span(scheduled_for, scheduled_until)}`);

/** Returns a line of text as HTML. */
export const paragraph = (text: string): string => `<p>${escaped(clean(text))}</p>\n`;
