import { clean, escaped } from '../characters.ts';
import { markdownHtml, type ElementStyles } from '../markdown/html.ts';
import { markdownText } from '../markdown/text.ts';
import type { SharedNotice } from '../notice.ts';
import { messageWordingOf } from '../wording.ts';
import { fitHtml, type CutHtml } from './fit-html.ts';
import { lightPalette } from './palette.ts';
import { proseStyles } from './style.ts';

/** A Markdown text with everything needed to render it. It can be sent to another thread. */
export interface MailText {
  markdown: string;
  styles: ElementStyles;
  /** maximum size of the HTML in bytes */
  mostBytes: number;
}

/** The texts of an e-mail about an event. */
export interface MailTexts {
  body: MailText;
  /** the page's own footer */
  footer: MailText;
}

/** A text as HTML and as plain text. Only the HTML may be truncated. */
export interface RenderedText {
  html: string;
  /** whether the end of the text is missing in the HTML */
  cut: boolean;
  text: string;
}

export type RenderedTexts = Readonly<Record<keyof MailTexts, RenderedText>>;

/** Maximum size of the HTML of each text, in bytes. Gmail hides the part of a message after the first 102 KB. */
const MOST_BYTES = { body: 60_000, footer: 8_000 } as const;

export const mailTextsOf = (notice: SharedNotice): MailTexts => {
  const palette = lightPalette(notice.page);
  const footerStyles = { p: 'margin:0 0 12px', a: `color:${palette.onCanvas};text-decoration:underline` };
  const footer = notice.page.notifications_email_footer ?? '';
  return {
    body: { markdown: messageWordingOf(notice).body, styles: proseStyles(palette), mostBytes: MOST_BYTES.body },
    footer: { markdown: footer, styles: footerStyles, mostBytes: MOST_BYTES.footer },
  };
};

/** Renders the Markdown of the texts. Long texts take a tenth of a second of CPU time. */
export const renderTexts = (texts: MailTexts): RenderedTexts =>
  each(texts, ({ markdown, styles, mostBytes }) => ({
    ...fitHtml(markdown, mostBytes, (part) => markdownHtml(part, { styles, topHeading: 2 })),
    text: markdownText(markdown),
  }));

/** Returns the texts without rendering their Markdown. Used if rendering would take too long. */
export const unformattedTexts = (texts: MailTexts): RenderedTexts =>
  each(texts, ({ markdown, styles: { p: style = '' }, mostBytes }) => ({
    ...fitHtml(
      markdown,
      mostBytes,
      (part) => `<p style="${escaped(style)}">${escaped(clean(part)).replaceAll('\n', '<br />')}</p>\n`,
    ),
    text: clean(markdown).trim(),
  }));

const NOTHING: RenderedText = { html: '', cut: false, text: '' };

const each = (
  { body, footer }: MailTexts,
  render: (text: MailText) => CutHtml & Pick<RenderedText, 'text'>,
): RenderedTexts => ({
  body: render(body),
  footer: footer.markdown.trim() === '' ? NOTHING : render(footer),
});
