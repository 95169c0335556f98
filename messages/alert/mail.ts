import { escaped, oneLine } from '../characters.ts';
import { linkable } from '../links.ts';
import { button, layOut, row } from '../mail/layout.ts';
import type { Mail } from '../mail/mail.ts';
import { lightPalette, type Palette } from '../mail/palette.ts';
import { plainPage } from '../mail/plain-page.ts';
import type { AlertFacts } from './alert-facts.ts';
import { alertWords, regionLines, type AlertWording } from './words.ts';

const LONGEST_SUBJECT = 150;

/** Returns the footer, which tells recipients why they get the e-mail and how to stop it. */
export const footerOf = (organization: string): string =>
  `You receive this e-mail because an alert channel of ${oneLine(organization, 100)} sends to your address. Ask the people who manage it to remove your address.`;

/** Returns the e-mail about an alert. */
export const alertMail = (alert: AlertFacts): Mail => {
  const wording = alertWords(alert);
  const { headline, state } = wording;
  const subject = oneLine(alert.resolved ? headline : `[${state.label}] ${headline}`, LONGEST_SUBJECT);
  const url = alert.url === null ? null : linkable(alert.url);
  return { subject, text: textOf(alert, wording, url), html: htmlOf(alert, wording, subject, url) };
};

const textOf = (alert: AlertFacts, { headline, sentence, facts }: AlertWording, url: string | null): string =>
  [
    headline,
    sentence,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    regionLines(alert).join('\n'),
    url === null ? '' : `Alert: ${url}`,
    `---\n\n${footerOf(alert.organization)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');

const htmlOf = (alert: AlertFacts, wording: AlertWording, subject: string, url: string | null): string => {
  const page = plainPage(alert.organization);
  const palette = lightPalette(page);
  return layOut({
    language: 'en',
    subject,
    preheader: wording.sentence,
    page,
    rows: [
      ...titleRows(wording, palette),
      ...regionRows(regionLines(alert), palette),
      ...(url === null ? [] : [button('View alert', url, palette)]),
    ],
    footer: [`<p style="margin:0 0 8px">${escaped(footerOf(alert.organization))}</p>`],
  });
};

/** Returns table rows with the headline, the state and the facts of an alert. */
export const titleRows = ({ headline, state, sentence, facts }: AlertWording, palette: Palette): string[] => {
  const { text, background } = palette.tones[state.tone];
  const pill = `<span class="pill-${state.tone}" style="display:inline-block;padding:3px 12px;border-radius:12px;font-size:13px;font-weight:600;line-height:1.4;color:${text};background-color:${background}">${escaped(state.label)}</span>`;
  return [
    row(
      `<h1 class="text" dir="auto" style="margin:0 0 12px;font-size:24px;line-height:1.25;font-weight:700;color:${palette.text};word-break:break-word">${escaped(headline)}</h1>${pill}`,
      'padding-top:28px;padding-bottom:16px',
    ),
    row(
      `<p class="text" dir="auto" style="margin:0;color:${palette.text};word-break:break-word">${escaped(sentence)}</p>`,
      'padding-bottom:16px;font-size:16px;line-height:1.6',
    ),
    row(
      `<div class="text" style="color:${palette.text}">${facts.map((fact) => factLine(fact, palette)).join('')}</div>`,
      'padding-bottom:20px;font-size:15px;line-height:1.5',
    ),
  ];
};

const factLine = ({ label, value }: AlertWording['facts'][number], { muted }: Palette): string =>
  `<div style="margin:0 0 4px"><span class="muted" style="color:${muted}">${escaped(label)}: </span>${escaped(value)}</div>`;

const regionRows = (lines: readonly string[], { text }: Palette): string[] =>
  lines.length === 0
    ? []
    : [
        row(
          `<div class="text" style="color:${text}">${lines.map((line) => `<div style="margin:0 0 4px">${escaped(line)}</div>`).join('')}</div>`,
          'padding-bottom:20px;font-size:15px;line-height:1.5',
        ),
      ];
