import { escaped } from '../characters.ts';
import type { MessageWording } from '../wording.ts';
import type { Palette } from './palette.ts';
import type { RenderedText } from './texts.ts';

/**
 * Returns the HTML of an event's text. If the text was truncated because it is too long for an e-mail, adds a link to
 * the whole text.
 */
export const proseOf = (
  { html, cut }: RenderedText,
  { words }: Pick<MessageWording, 'words'>,
  url: string | null,
  palette: Palette,
): string => {
  const style = `font-size:16px;line-height:1.6;color:${palette.text};word-break:break-word`;
  const prose = `<div class="prose" dir="auto" style="${style}">${html}</div>`;
  if (!cut) return prose;
  const link =
    url === null
      ? escaped(words.mail.cut)
      : `${escaped(words.mail.readOn)} <a class="link" href="${escaped(url)}" style="color:${palette.link}">${escaped(url)}</a>`;
  return `${prose}<p class="muted" style="margin:16px 0 0;font-size:14px;color:${palette.muted}">${link}</p>`;
};
