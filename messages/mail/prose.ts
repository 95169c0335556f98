import { escaped } from '../characters.ts';
import { markdownHtml, type ElementStyles } from '../markdown/html.ts';
import type { Wording } from '../wording.ts';
import type { Palette } from './palette.ts';
import { proseStyles } from './style.ts';

/** Bytes of HTML for a text: Gmail hides what is beyond 102 KB of a message. */
const MOST_BYTES = 60_000;

/** A text as HTML, cut with a link to all of it where it is too long for an e-mail. */
export const proseOf = ({ words, body }: Wording, url: string | null, palette: Palette): string => {
  const { html, cut } = fitting(body, MOST_BYTES, proseStyles(palette));
  const style = `font-size:16px;line-height:1.6;color:${palette.text};word-break:break-word`;
  const prose = `<div class="prose" dir="auto" style="${style}">${html}</div>`;
  if (!cut) return prose;
  const link =
    url === null
      ? escaped(words.mail.cut)
      : `${escaped(words.mail.readOn)} <a class="link" href="${escaped(url)}" style="color:${palette.link}">${escaped(url)}</a>`;
  return `${prose}<p class="muted" style="margin:16px 0 0;font-size:14px;color:${palette.muted}">${link}</p>`;
};

/** As much of a text as HTML of so many bytes has room for, ended between lines or words. */
export const fitting = (text: string, most: number, styles: ElementStyles): { html: string; cut: boolean } => {
  let part = text;
  for (;;) {
    const html = markdownHtml(part, { styles, topHeading: 2 });
    const size = Buffer.byteLength(html);
    if (size <= most) return { html, cut: part.length < text.length };
    part = beginning(part, Math.floor(part.length * Math.min(0.9, most / size)));
  }
};

const beginning = (text: string, length: number): string => {
  const part = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
  const end = Math.max(part.lastIndexOf('\n'), part.lastIndexOf(' '));
  return end > length / 2 ? part.slice(0, end) : part;
};
