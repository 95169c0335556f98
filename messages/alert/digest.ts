import { readable } from '../../domain/alert/texts.ts';
import { escaped, oneLine } from '../characters.ts';
import { linkable } from '../links.ts';
import { button, layOut, row } from '../mail/layout.ts';
import type { Mail } from '../mail/mail.ts';
import { lightPalette } from '../mail/palette.ts';
import { plainPage } from '../mail/plain-page.ts';
import { chatText } from './chat.ts';
import { footerOf } from './mail.ts';
import type { AlertTold } from './told.ts';
import { alertWords, durationWords } from './words.ts';

/** Several messages about alerts that a receiver gets as one. */
export interface AlertDigest {
  /** of the organization */
  organization: string;
  /** in the order in which they happened */
  told: readonly AlertTold[];
  /** how many there are, of which `told` may be the first ones */
  total: number;
  /** where active alerts are listed; null: nowhere without `PUBLIC_URL` */
  url: string | null;
}

/** Alerts that an e-mail lists; it says how many more there are. */
export const MOST_LISTED = 200;
/** Lines of a message in a messenger. */
const MOST_LINES = 30;

const lineOf = (told: AlertTold): string => {
  const { headline, state } = alertWords(told);
  const what = oneLine(told.resolved ? headline : `[${state.label}] ${headline}`, 160);
  return told.resolved
    ? `${what}, after ${durationWords(told.resolved.duration)}`
    : `${what}, since ${readable(told.fired_at)}`;
};

const counted = (count: number, one: string): string => `${count.toString()} ${one}${count === 1 ? '' : 's'}`;

const headlineOf = ({ told, total }: AlertDigest): string => {
  const resolved = told.filter((one) => one.resolved).length;
  if (total > told.length) return `${counted(total, 'message')} about alerts`;
  const fired = told.length - resolved;
  return [
    ...(fired > 0 ? [`${counted(fired, 'alert')} fired`] : []),
    ...(resolved > 0 ? [`${fired > 0 ? resolved.toString() : counted(resolved, 'alert')} resolved`] : []),
  ].join(', ');
};

const SENTENCE = 'There were so many alerts within a minute that they come in one message.';

const linesOf = ({ told, total }: AlertDigest, most: number): string[] => {
  const lines = told.slice(0, most).map(lineOf);
  return total > lines.length ? [...lines, `and ${(total - lines.length).toString()} more`] : lines;
};

/** What a messenger shows of several alerts. */
export const digestChat = (digest: AlertDigest): string =>
  chatText([headlineOf(digest), SENTENCE, linesOf(digest, MOST_LINES).join('\n')], digest.url);

/** An e-mail about several alerts. */
export const digestMail = (digest: AlertDigest): Mail => {
  const subject = headlineOf(digest);
  const url = digest.url === null ? null : linkable(digest.url);
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
