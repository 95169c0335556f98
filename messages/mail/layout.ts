import { escaped, oneLine } from '../characters.ts';
import { imageAddress, linkable } from '../links.ts';
import type { NoticePage } from '../notice.ts';
import { darkPalette, lightPalette, type Palette } from './palette.ts';
import { FONT, styleSheet } from './style.ts';

/** The page whose name, logo and colours an e-mail uses. */
export type MailPage = Omit<NoticePage, 'component_statuses'>;

interface Letter {
  /** BCP 47 */
  language: string;
  /** one line of text */
  subject: string;
  /** one line of text, which mail programs show next to the subject */
  preheader: string;
  page: MailPage;
  /** HTML: rows of the card's table */
  rows: readonly string[];
  /** HTML: paragraphs below the card */
  footer: readonly string[];
}

/** Returns the HTML of an e-mail. The layout uses tables, because Outlook for Windows supports nothing else. */
export const layOut = ({ language, subject, preheader, page, rows, footer }: Letter): string => {
  const [light, dark] = [lightPalette(page), darkPalette(page)];
  const canvas = `background-color:${light.canvas}`;
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escaped(subject)}</title>
${styleSheet(light, dark)}
</head>
<body class="canvas" style="margin:0;padding:0;${canvas}">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escaped(preheader)}${BLANKS}</div>
<div role="article" aria-roledescription="email" lang="${language}">
<table role="presentation" class="canvas" style="width:100%;border-spacing:0;${canvas}"><tr>
<td class="outer" style="padding:32px 16px">
<!--[if mso]><table role="presentation" align="center" width="600"><tr><td><![endif]-->
<table role="presentation" style="width:100%;max-width:600px;margin:0 auto;border-spacing:0">
<tr><td class="inner" style="padding:0 32px 20px">${head(page, light)}</td></tr>
<tr><td class="card" style="padding:0;background-color:${light.card};border:1px solid ${light.border};border-radius:8px">
<table role="presentation" style="width:100%;border-spacing:0">
${rows.join('\n')}
</table>
</td></tr>
<tr><td class="inner on-canvas" style="padding:24px 32px 0;${FONT};font-size:13px;line-height:1.5;color:${light.onCanvas};word-break:break-word">
${footer.join('\n')}
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div>
</body>
</html>
`;
};

/**
 * Invisible characters after the preheader. They fill the preview line that mail programs show next to the subject.
 * Without them, the preview line would continue with the text of the e-mail.
 */
const BLANKS = '&#8199;&#847;'.repeat(60);

/** Returns the page's logo, or its name. */
const head = (page: MailPage, { onCanvas, canvas }: Palette): string => {
  const name = escaped(oneLine(page.name, 100));
  const logo = imageAddress(page.email_logo) ?? imageAddress(page.company_logo);
  const style = `${FONT};font-size:18px;line-height:1.3;font-weight:600;color:${onCanvas}`;
  const image =
    logo === null
      ? name
      : `<img src="${escaped(logo)}" alt="${name}" height="40" style="display:inline-block;height:40px;width:auto;max-width:100%;border:0;color:${onCanvas};background-color:${canvas}">`;
  const url = page.url === null ? null : linkable(page.url);
  const inner =
    url === null ? image : `<a href="${escaped(url)}" style="color:${onCanvas};text-decoration:none">${image}</a>`;
  return `<div class="on-canvas logo" style="${style}">${inner}</div>`;
};

/** Returns a row of the card. The stylesheet selects the colours of dark mode by `classes`. */
export const row = (html: string, style: string, classes = ''): string =>
  `<tr><td class="${`inner ${classes}`.trimEnd()}" style="padding:0 32px;${FONT};${style}">${html}</td></tr>`;

export const button = (label: string, address: string, { button: background, buttonText }: Palette): string =>
  `<tr><td class="inner" style="padding:4px 32px 32px">` +
  `<table role="presentation" class="wide" style="border-spacing:0"><tr><td class="button" style="border-radius:6px;background-color:${background}">` +
  `<a href="${escaped(address)}" style="display:inline-block;padding:12px 24px;${FONT};font-size:16px;font-weight:600;line-height:1.25;text-decoration:none;color:${buttonText}">${escaped(label)}</a>` +
  `</td></tr></table></td></tr>`;
