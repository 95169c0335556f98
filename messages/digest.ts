import { SEVERITIES, type Severity } from '../domain/alert-rule/fields.ts';
import { readable } from '../domain/alert/texts.ts';
import type { Notice } from '../domain/delivery/notice.ts';
import type { Instant } from '../domain/time.ts';
import { chatText, paragraphs } from './alert/chat.ts';
import { footerOf } from './alert/mail.ts';
import type { AlertTold } from './alert/told.ts';
import { alertWords, type AlertWording } from './alert/words.ts';
import { escaped, oneLine } from './characters.ts';
import { durationWords } from './duration.ts';
import { HEARTBEAT_SEVERITY, heartbeatWords, type HeartbeatTold } from './heartbeat.ts';
import { linkable } from './links.ts';
import { button, layOut, row } from './mail/layout.ts';
import type { Mail } from './mail/mail.ts';
import { lightPalette } from './mail/palette.ts';
import { plainPage } from './mail/plain-page.ts';

/** A message that a digest stands for. */
export interface Digested {
  about: 'alert' | 'heartbeat';
  /** name of the rule of an alert; null: it is about a heartbeat */
  rule: string | null;
  words: Pick<AlertWording, 'headline' | 'state'>;
  severity: Severity;
  since: Instant;
  /** seconds that it lasted; null: it lasts */
  ended: number | null;
}

export const digestedAlert = (told: AlertTold): Digested => ({
  about: 'alert',
  rule: told.rule_name,
  // Its description, which takes longer than all the rest, is in no digest.
  words: alertWords({ ...told, description: '' }),
  severity: told.severity,
  since: told.fired_at,
  ended: told.resolved && told.resolved.duration,
});

export const digestedHeartbeat = (told: HeartbeatTold): Digested => ({
  about: 'heartbeat',
  rule: null,
  words: heartbeatWords(told),
  severity: HEARTBEAT_SEVERITY,
  since: told.down_at,
  ended: told.recovered && told.recovered.duration,
});

/** Several messages that a receiver gets as one. */
export interface Digest {
  /** of the organization */
  organization: string;
  /** in the order in which they happened */
  told: readonly Digested[];
  /** how many there are, of which `told` may be the first ones */
  total: number;
  /** where active alerts are listed; null: nowhere without `PUBLIC_URL` */
  url: string | null;
}

/** Messages that an e-mail lists; it says how many more there are. */
export const MOST_LISTED = 200;
/** Lines of a message in a messenger. */
const MOST_LINES = 30;
/** Characters of these lines: with what surrounds them they fit into a message (notifiers/). */
const MOST_CHARACTERS = 3_300;

const lineOf = ({ words: { headline, state }, rule, since, ended }: Digested): string => {
  const by = rule === null ? '' : ` (rule: ${oneLine(rule, 100)})`;
  return ended === null
    ? `${oneLine(`[${state.label}] ${headline}`, 160)}${by}, since ${readable(since)}`
    : `${oneLine(headline, 160)}${by}, after ${durationWords(ended)}`;
};

const counted = (count: number, one: string): string => `${count.toString()} ${one}${count === 1 ? '' : 's'}`;

/** How messages about something are counted. */
const COUNTED = [
  { about: 'alert', begun: 'fired', over: 'resolved' },
  { about: 'heartbeat', begun: 'down', over: 'up again' },
] as const;

const headlineOf = ({ told, total }: Digest): string => {
  if (total > told.length) return counted(total, 'message');
  return COUNTED.flatMap(({ about, begun, over }) => {
    const own = told.filter((one) => one.about === about);
    const ended = own.filter((one) => one.ended !== null).length;
    const last = own.length - ended;
    return [
      ...(last > 0 ? [`${counted(last, about)} ${begun}`] : []),
      ...(ended > 0 ? [`${last > 0 ? ended.toString() : counted(ended, about)} ${over}`] : []),
    ];
  }).join(', ');
};

const SENTENCE = 'There were so many messages within a minute that they come as one.';

/** Where those alerts are listed that it tells of. */
const linkOf = ({ told, url }: Digest): string | null => (told.some(({ about }) => about === 'alert') ? url : null);

/** @param room characters of all lines */
const linesOf = ({ told, total }: Digest, most: number, room = Infinity): string[] => {
  let left = room;
  const lines = told
    .slice(0, most)
    .map(lineOf)
    .filter((line) => (left -= line.length + 1) >= 0);
  return total > lines.length ? [...lines, `and ${(total - lines.length).toString()} more`] : lines;
};

/** What a messenger shows of several messages. */
export const digestChat = (digest: Digest): string => {
  const { title, body } = digestNotice(digest);
  return chatText([title, body], linkOf(digest));
};

/** The same in parts: as severe as the most severe of those that last, if any does. */
export const digestNotice = (digest: Digest): Notice => {
  const link = linkOf(digest);
  const lasting = digest.told.filter(({ ended }) => ended === null);
  const ranks = (lasting.length > 0 ? lasting : digest.told).map(({ severity }) => SEVERITIES.indexOf(severity));
  return {
    title: headlineOf(digest),
    body: paragraphs([SENTENCE, linesOf(digest, MOST_LINES, MOST_CHARACTERS).join('\n')]),
    url: link === null ? null : linkable(link),
    severity: SEVERITIES[Math.max(0, ...ranks)] ?? 'low',
    over: lasting.length === 0 && digest.total === digest.told.length,
    about: null,
  };
};

/** An e-mail that stands for several. */
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
