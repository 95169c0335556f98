import { SEVERITIES, type Severity } from '../domain/alert-rule/fields.ts';
import { readableInstant } from '../domain/alert/texts.ts';
import type { DeliveryMessage } from '../domain/delivery/message.ts';
import type { Instant } from '../domain/time.ts';
import { chatText, paragraphs } from './alert/chat.ts';
import { footerOf } from './alert/mail.ts';
import type { AlertFacts } from './alert/alert-facts.ts';
import { alertWords, type AlertWording } from './alert/words.ts';
import { escaped, oneLine } from './characters.ts';
import { durationWords } from './duration.ts';
import { HEARTBEAT_SEVERITY, heartbeatWords, type HeartbeatFacts } from './heartbeat.ts';
import { linkable } from './links.ts';
import { button, layOut, row } from './mail/layout.ts';
import type { Mail } from './mail/mail.ts';
import { lightPalette } from './mail/palette.ts';
import { plainPage } from './mail/plain-page.ts';

/** A message that is part of a digest. */
export interface DigestEntry {
  about: 'alert' | 'heartbeat';
  /** name of the alert rule; null for heartbeats */
  rule: string | null;
  words: Pick<AlertWording, 'headline' | 'state'>;
  severity: Severity;
  since: Instant;
  /** duration in seconds; null: ongoing */
  ended: number | null;
}

export const alertEntry = (alert: AlertFacts): DigestEntry => ({
  about: 'alert',
  rule: alert.rule_name,
  // A digest does not include the description. Leaving it out saves most of the rendering time.
  words: alertWords({ ...alert, description: '' }),
  severity: alert.severity,
  since: alert.fired_at,
  ended: alert.resolved && alert.resolved.duration,
});

export const heartbeatEntry = (heartbeat: HeartbeatFacts): DigestEntry => ({
  about: 'heartbeat',
  rule: null,
  words: heartbeatWords(heartbeat),
  severity: HEARTBEAT_SEVERITY,
  since: heartbeat.down_at,
  ended: heartbeat.recovered && heartbeat.recovered.duration,
});

/** Several messages to the same recipient, combined into one. */
export interface Digest {
  /** organization name */
  organization: string;
  /** in chronological order */
  entries: readonly DigestEntry[];
  /** the number of messages; `entries` may contain only the first of them */
  total: number;
  /** URL of the active alerts; null without `PUBLIC_URL` */
  url: string | null;
}

/** Maximum number of messages listed in an e-mail. Further messages are only counted. */
export const MOST_LISTED = 200;
/** Maximum number of lines in a chat message. */
const MOST_LINES = 30;
/**
 * Maximum number of characters in the lines of a chat message. With the headline and the link, the message stays within
 * the limits of all chat notifiers (notifiers/).
 */
const MOST_CHARACTERS = 3_300;

const lineOf = ({ words: { headline, state }, rule, since, ended }: DigestEntry): string => {
  const by = rule === null ? '' : ` (rule: ${oneLine(rule, 100)})`;
  return ended === null
    ? `${oneLine(`[${state.label}] ${headline}`, 160)}${by}, since ${readableInstant(since)}`
    : `${oneLine(headline, 160)}${by}, after ${durationWords(ended)}`;
};

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The words with which the headline counts messages, by subject. */
const COUNTED = [
  { about: 'alert', begun: 'fired', over: 'resolved' },
  { about: 'heartbeat', begun: 'down', over: 'up again' },
] as const;

const headlineOf = ({ entries: entries, total }: Digest): string => {
  if (total > entries.length) return counted(total, 'message');
  return COUNTED.flatMap(({ about, begun, over }) => {
    const own = entries.filter((one) => one.about === about);
    const ended = own.filter((one) => one.ended !== null).length;
    const last = own.length - ended;
    return [
      ...(last > 0 ? [`${counted(last, about)} ${begun}`] : []),
      ...(ended > 0 ? [`${last > 0 ? ended.toString() : counted(ended, about)} ${over}`] : []),
    ];
  }).join(', ');
};

const SENTENCE = 'There were so many messages within a minute that they are combined into one.';

/** Returns the URL of the active alerts, or null if the digest contains no alerts. */
const linkOf = ({ entries: entries, url }: Digest): string | null =>
  entries.some(({ about }) => about === 'alert') ? url : null;

/**
 * Returns one line per message.
 *
 * @param most maximum number of lines
 * @param room maximum number of characters of all lines together
 */
const linesOf = ({ entries: entries, total }: Digest, most: number, room = Infinity): string[] => {
  let left = room;
  const lines = entries
    .slice(0, most)
    .map(lineOf)
    .filter((line) => (left -= line.length + 1) >= 0);
  return total > lines.length ? [...lines, `and ${total - lines.length} more`] : lines;
};

/** Returns the chat message for a digest. */
export const digestChat = (digest: Digest): string => {
  const { title, body } = digestNotice(digest);
  return chatText([title, body], linkOf(digest));
};

/**
 * Returns a structured message with the digest. The severity of the message is the highest severity of the ongoing
 * alerts; if no alert is ongoing, the highest severity of all alerts.
 */
export const digestNotice = (digest: Digest): DeliveryMessage => {
  const link = linkOf(digest);
  const lasting = digest.entries.filter(({ ended }) => ended === null);
  const ranks = (lasting.length > 0 ? lasting : digest.entries).map(({ severity }) => SEVERITIES.indexOf(severity));
  return {
    title: headlineOf(digest),
    body: paragraphs([SENTENCE, linesOf(digest, MOST_LINES, MOST_CHARACTERS).join('\n')]),
    url: link === null ? null : linkable(link),
    severity: SEVERITIES[Math.max(0, ...ranks)] ?? 'low',
    over: lasting.length === 0 && digest.total === digest.entries.length,
    about: null,
  };
};

/** Returns the e-mail for a digest. */
export const digestMail = (digest: Digest): Mail => {
  const subject = headlineOf(digest);
  const link = linkOf(digest);
  const url = link === null ? null : linkable(link);
  const lines = linesOf(digest, MOST_LISTED);
  const text = [
    subject,
    SENTENCE,
    lines.join('\n'),
    ...(url === null ? [] : [`Active alerts: ${url}`]),
    `---\n\n${footerOf(digest.organization)}`,
  ];
  const page = plainPage(digest.organization);
  const palette = lightPalette(page);
  const html = layOut({
    language: 'en',
    subject,
    preheader: SENTENCE,
    page,
    rows: [
      row(
        `<h1 class="text" style="margin:0 0 12px;font-size:24px;line-height:1.25;font-weight:700;color:${palette.text}">${escaped(subject)}</h1>` +
          `<p class="text" style="margin:0;color:${palette.text}">${escaped(SENTENCE)}</p>`,
        'padding-top:28px;padding-bottom:16px;font-size:16px;line-height:1.6',
      ),
      row(
        `<div class="text" style="color:${palette.text}">${lines.map((line) => `<div dir="auto" style="margin:0 0 6px;word-break:break-word">${escaped(line)}</div>`).join('')}</div>`,
        'padding-bottom:20px;font-size:15px;line-height:1.5',
      ),
      ...(url === null ? [] : [button('View active alerts', url, palette)]),
    ],
    footer: [`<p style="margin:0 0 8px">${escaped(footerOf(digest.organization))}</p>`],
  });
  return { subject, text: `${text.join('\n\n')}\n`, html };
};
