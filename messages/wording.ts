import { oneLine } from './characters.ts';
import type { NoticeComponent, SharedNotice } from './notice.ts';
import { toneOfComponent, toneOfIncident, type Tone } from './tone.ts';
import { timesOf } from './times.ts';
import { wordsFor, type MessageKind, type Words } from './words/index.ts';

/** The texts of a subscriber message in the page's language, independent of format. */
export interface MessageWording {
  words: Words;
  page: string;
  /** `Incident resolved` */
  happened: string;
  /** name of the incident or of the component */
  title: string;
  status: LabelledTone;
  /** `Identified: Database is slow`, for a subject or an SMS */
  headline: string;
  /** `Impact`, `Major` */
  facts: readonly { label: string; value: string }[];
  /** when the event happened */
  moment: string;
  /** Markdown */
  body: string;
  components: readonly { name: string; status: LabelledTone }[];
}

export interface LabelledTone {
  label: string;
  tone: Tone;
}

const LONGEST_PAGE_NAME = 50;
const LONGEST_TITLE = 200;

export const messageWordingOf = (notice: SharedNotice): MessageWording => {
  const { page, incident, component_update: update } = notice;
  const words = wordsFor(page.language);
  const kind = messageKindOf(notice);
  const happened = words.happened[kind];
  const title = oneLine(incident?.name ?? update?.component.name ?? '', LONGEST_TITLE);
  const status = statusOf(notice, words);
  // Updates of an incident show the status of the incident, which says more than the word "update". All other events of
  // incidents and maintenances show the name of the event.
  const news = incident?.kind === 'regular' && notice.event !== 'postmortem.published' ? status.label : happened;
  return {
    words,
    page: oneLine(page.name, LONGEST_PAGE_NAME),
    happened,
    title,
    status,
    headline: (update ? status.label : news) + words.colon + title,
    facts: factsOf(notice, words),
    moment: timesOf(words, page.time_zone).moment(notice.at),
    body: notice.postmortem ?? notice.body ?? words.sentence[kind],
    components: notice.components.map((component) => ({
      name: oneLine(component.name, 100),
      status: componentStatus(component, words),
    })),
  };
};

/**
 * Returns the kind of message for an event. Maintenances and incidents have the same events, but their announcements
 * and updates have different texts.
 */
const messageKindOf = ({ event, incident }: SharedNotice): MessageKind => {
  if (incident?.kind !== 'maintenance') return event;
  if (event === 'incident.created') return 'maintenance.scheduled';
  return event === 'incident.updated' ? 'maintenance.updated' : event;
};

const statusOf = ({ incident, component_update: update }: SharedNotice, words: Words): LabelledTone => {
  if (incident) return { label: words.incidentStatus[incident.status], tone: toneOfIncident(incident.status) };
  if (update) return { label: words.componentStatus[update.new_status], tone: toneOfComponent(update.new_status) };
  return { label: '', tone: 'calm' };
};

const componentStatus = ({ status }: NoticeComponent, words: Words): LabelledTone => ({
  label: words.componentStatus[status],
  tone: toneOfComponent(status),
});

const factsOf = ({ page, incident, component_update: update }: SharedNotice, words: Words): MessageWording['facts'] => {
  if (update) {
    const change = [update.old_status, update.new_status].map((status) => words.componentStatus[status]);
    return [{ label: words.mail.status, value: change.join(' → ') }];
  }
  if (!incident) return [];
  const { impact, scheduled_for: from, scheduled_until: until } = incident;
  const times = timesOf(words, page.time_zone);
  return [
    ...(impact === 'none' || impact === 'maintenance'
      ? []
      : [{ label: words.mail.impact, value: words.impact[impact] }]),
    ...(from === null
      ? []
      : [{ label: words.mail.scheduled, value: until === null ? times.moment(from) : times.span(from, until) }]),
  ];
};
