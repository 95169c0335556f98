import { escaped, oneLine } from '../characters.ts';
import { linkable } from '../links.ts';
import type { SharedNotice } from '../notice.ts';
import type { MessageWording } from '../wording.ts';
import { componentRows } from './components.ts';
import { footerOf } from './footer.ts';
import { button, layOut, row } from './layout.ts';
import { lightPalette, type Palette } from './palette.ts';
import { proseOf } from './prose.ts';
import type { RenderedTexts } from './texts.ts';
import type { SubscriberLinks } from './subscriber-links.ts';

const LONGEST_PREHEADER = 140;

/**
 * Returns the HTML of an e-mail about an event.
 *
 * @param links the recipient's own links; null: none
 */
export const mailHtml = (
  notice: SharedNotice,
  wording: MessageWording,
  texts: RenderedTexts,
  subject: string,
  links: SubscriberLinks | null,
): string => {
  const { page } = notice;
  const { words } = wording;
  const palette = lightPalette(page);
  const url = page.url === null ? null : linkable(page.url);
  return layOut({
    language: words.language,
    subject,
    preheader: oneLine(texts.body.text.slice(0, 2_000), LONGEST_PREHEADER),
    page,
    rows: [
      ...title(wording, palette),
      row(proseOf(texts.body, wording, url, palette), 'padding-bottom:24px'),
      ...componentRows(wording, palette),
      ...(url === null ? [] : [button(words.mail.viewPage, url, palette)]),
    ],
    footer: footerOf(page, wording, texts.footer, links, palette),
  });
};

const title = ({ words, happened, title: name, status, facts, moment }: MessageWording, palette: Palette): string[] => {
  const { text, background } = palette.tones[status.tone];
  const pill = `<span class="pill-${status.tone}" style="display:inline-block;padding:3px 12px;border-radius:12px;font-size:13px;font-weight:600;line-height:1.4;color:${text};background-color:${background}">${escaped(status.label)}</span>`;
  const lines = facts.map(
    ({ label, value }) =>
      `<div style="margin:0 0 4px"><span class="muted" style="color:${palette.muted}">${escaped(label + words.colon)}</span>${escaped(value)}</div>`,
  );
  return [
    row(
      `${escaped(happened)} · ${escaped(moment)}`,
      `padding-top:28px;font-size:13px;line-height:1.5;color:${palette.muted}`,
      'muted',
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
