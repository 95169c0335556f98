import { escaped, oneLine } from '../characters.ts';
import { linkable } from '../links.ts';
import { markdownText } from '../markdown/text.ts';
import type { Notice, SharedNotice } from '../notice.ts';
import { toldBy, type Told } from '../told.ts';
import { componentRows } from './components.ts';
import { footerOf, footerText } from './footer.ts';
import { button, layOut, row } from './layout.ts';
import type { Mail } from './mail.ts';
import { lightPalette, type Palette } from './palette.ts';
import { proseOf } from './prose.ts';
import { fillingIn, PLACE } from './unsubscribing.ts';

/** An e-mail about an event, for one receiver. */
export const composeMail = (notice: Notice): Mail => mailTemplate(notice)(notice.unsubscribe_url);

/**
 * An e-mail about an event, for any number of receivers: making it takes a thousand times what filling in a link does.
 *
 * @returns makes the e-mail of the receiver whose subscription ends at an address; null: at none
 */
export const mailTemplate = (notice: SharedNotice): ((unsubscribeUrl: string | null) => Mail) => {
  const told = toldBy(notice);
  const subject = oneLine(`[${told.page}] ${told.headline}`, LONGEST_SUBJECT);
  const lasting = (place: string | null): Mail => ({
    subject,
    text: textOf(notice, told, place),
    html: htmlOf(notice, told, subject, place),
  });
  let without: Mail | undefined;
  let filled: ((address: string) => Mail) | undefined;
  return (unsubscribeUrl) => {
    if (unsubscribeUrl === null) return (without ??= lasting(null));
    filled ??= fillingInMail(lasting(PLACE));
    return filled(unsubscribeUrl);
  };
};

/** Mail programs show sixty to a hundred; the name of an incident may have two hundred. */
const LONGEST_SUBJECT = 150;
const LONGEST_PREHEADER = 140;

const fillingInMail = ({ subject, text, html }: Mail): ((address: string) => Mail) => {
  const [inText, inHtml] = [fillingIn(text), fillingIn(html)];
  return (address) => ({ subject, text: inText(address), html: inHtml(escaped(address)) });
};

const htmlOf = (notice: SharedNotice, told: Told, subject: string, place: string | null): string => {
  const { page } = notice;
  const { words } = told;
  const palette = lightPalette(page);
  const url = page.url === null ? null : linkable(page.url);
  return layOut({
    language: words.language,
    subject,
    preheader: oneLine(markdownText(told.body.slice(0, 2_000)), LONGEST_PREHEADER),
    page,
    rows: [
      ...title(told, palette),
      row(proseOf(told, url, palette), 'padding-bottom:24px'),
      ...componentRows(told, palette),
      ...(url === null ? [] : [button(words.mail.viewPage, url, palette)]),
    ],
    footer: footerOf(page, told, place, palette),
  });
};

const title = ({ happened, title: name, status, facts, moment }: Told, palette: Palette): string[] => {
  const { text, background } = palette.tones[status.tone];
  const pill = `<span class="pill-${status.tone}" style="display:inline-block;padding:3px 12px;border-radius:12px;font-size:13px;font-weight:600;line-height:1.4;color:${text};background-color:${background}">${escaped(status.label)}</span>`;
  const lines = facts.map(
    ({ label, value }) =>
      `<div style="margin:0 0 4px"><span class="muted" style="color:${palette.muted}">${escaped(label)}:</span> ${escaped(value)}</div>`,
  );
  return [
    row(
      `${escaped(happened)} · ${escaped(moment)}`,
      `padding-top:28px;font-size:13px;line-height:1.5;color:${palette.muted}`,
    ),
    row(
      `<h1 class="text" dir="auto" style="margin:6px 0 12px;font-size:24px;line-height:1.25;font-weight:700;color:${palette.text};word-break:break-word">${escaped(name)}</h1>${pill}`,
      'padding-bottom:16px',
    ),
    ...(lines.length === 0
      ? []
      : [
          row(
            `<div class="text" style="color:${palette.text}">${lines.join('')}</div>`,
            'padding-bottom:12px;font-size:15px;line-height:1.5',
          ),
        ]),
  ];
};

const textOf = (notice: SharedNotice, told: Told, place: string | null): string => {
  const { words, components } = told;
  const { url } = notice.page;
  const facts = [
    ...(notice.component_update === null ? [{ label: words.mail.status, value: told.status.label }] : []),
    ...told.facts,
  ].map(({ label, value }) => `${label}: ${value}`);
  return [
    `${told.happened}: ${told.title}`,
    [...facts, told.moment].join('\n'),
    markdownText(told.body),
    components.length === 0
      ? ''
      : [`${words.mail.components}:`, ...components.map(({ name, status }) => `- ${name}: ${status.label}`)].join('\n'),
    url === null ? '' : `${words.mail.viewPage}: ${url}`,
    footerText(notice.page, told, place),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
};
