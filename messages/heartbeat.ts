import { readableInstant } from '../domain/alert/texts.ts';
import type { DeliveryMessage } from '../domain/delivery/message.ts';
import type { DownBecause } from '../domain/heartbeat/events.ts';
import type { Instant } from '../domain/time.ts';
import { chatText, paragraphs } from './alert/chat.ts';
import { footerOf, titleRows } from './alert/mail.ts';
import type { AlertWording } from './alert/words.ts';
import { oneLine } from './characters.ts';
import { durationWords } from './duration.ts';
import { layOut } from './mail/layout.ts';
import type { Mail } from './mail/mail.ts';
import { lightPalette } from './mail/palette.ts';
import { plainPage } from './mail/plain-page.ts';

/**
 * The facts of a heartbeat message, independent of channel format. Messages never include the heartbeat's id, which is
 * a secret.
 */
export interface HeartbeatFacts {
  event: 'heartbeat.down' | 'heartbeat.recovered';
  /** organization name */
  organization: string;
  name: string;
  down_at: Instant;
  because: DownBecause;
  last_ping_at: Instant;
  /** null: the heartbeat is still down */
  recovered: { at: Instant; duration: number } | null;
}

const DOWN_SENTENCES: Readonly<Record<DownBecause, (name: string) => string>> = {
  late: (name) => `No ping from “${name}” arrived in time.`,
  failed: (name) => `“${name}” reported a failure.`,
  took_too_long: (name) => `“${name}” ran longer than allowed.`,
};

export const HEARTBEAT_SEVERITY = 'high';

const LONGEST_NAME = 100;

/** Returns the texts of a heartbeat message, which are the same in all formats. */
export const heartbeatWords = ({ name, down_at, because, last_ping_at, recovered }: HeartbeatFacts): AlertWording => {
  const called = oneLine(name, LONGEST_NAME);
  const facts = [
    { label: 'Heartbeat', value: called },
    { label: 'Down since', value: readableInstant(down_at) },
  ];
  if (!recovered) {
    return {
      headline: `${called} is down`,
      state: { label: 'Down', tone: 'bad' },
      sentence: DOWN_SENTENCES[because](called),
      facts: [...facts, { label: 'Last ping', value: readableInstant(last_ping_at) }],
    };
  }
  const duration = durationWords(recovered.duration);
  return {
    headline: `Resolved: ${called} is down`,
    state: { label: 'Resolved', tone: 'good' },
    sentence: `“${called}” is up again after ${duration}.`,
    facts: [
      ...facts,
      { label: 'Up since', value: readableInstant(recovered.at) },
      { label: 'Duration', value: duration },
    ],
  };
};

const factLines = ({ facts }: AlertWording): string => facts.map(({ label, value }) => `${label}: ${value}`).join('\n');

/** Returns the chat message about a heartbeat. */
export const heartbeatChat = (heartbeat: HeartbeatFacts): string => {
  const { title, body } = heartbeatNotice(heartbeat, null);
  return chatText([title, body], null);
};

/**
 * Returns a structured message about a heartbeat. Heartbeats have no severity, so a heartbeat that is down counts as
 * high.
 */
export const heartbeatNotice = (heartbeat: HeartbeatFacts, about: string | null): DeliveryMessage => {
  const words = heartbeatWords(heartbeat);
  const { headline, state, sentence } = words;
  return {
    title: heartbeat.recovered ? headline : `[${state.label}] ${headline}`,
    body: paragraphs([sentence, factLines(words)]),
    url: null,
    severity: HEARTBEAT_SEVERITY,
    over: heartbeat.recovered !== null,
    about,
  };
};

/** Returns the e-mail about a heartbeat. */
export const heartbeatMail = (heartbeat: HeartbeatFacts): Mail => {
  const words = heartbeatWords(heartbeat);
  const { headline, sentence, state } = words;
  const footer = footerOf(heartbeat.organization);
  const page = plainPage(heartbeat.organization);
  const subject = heartbeat.recovered ? headline : `[${state.label}] ${headline}`;
  return {
    subject,
    text: `${[headline, sentence, factLines(words), `---\n\n${footer}`].join('\n\n')}\n`,
    html: layOut({
      language: 'en',
      subject,
      preheader: sentence,
      page,
      rows: titleRows(words, lightPalette(page)),
      footer: [`<p style="margin:0 0 8px">${footer}</p>`],
    }),
  };
};

/** Returns the data of a webhook message, without the event name. */
export const heartbeatData = (
  { name, down_at, because, last_ping_at, recovered, organization }: HeartbeatFacts,
  organizationId: string,
): Record<string, unknown> => ({
  heartbeat: {
    name,
    status: recovered ? 'up' : 'down',
    because,
    last_ping_at,
    down_at,
    recovered_at: recovered?.at ?? null,
    duration: recovered?.duration ?? null,
  },
  organization: { id: organizationId, name: organization },
});
