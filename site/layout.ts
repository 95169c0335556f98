import { escapedHtml } from '../http/media/error-page.ts';
import { NO_COLORS } from './styles/palette.ts';
import { stylesheetAddress } from './styles/stylesheet.ts';

/** What stands on a page of the site. */
export interface Shown {
  /** of its words, ISO 639-1 */
  language: string;
  /** text */
  title: string;
  /** what follows the title: markup, in which everything that came from people is escaped */
  content: string;
}

/** A page with a title and a few sentences. Search engines leave it out. */
export const layout = ({ language, title, content }: Shown): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${escapedHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${escapedHtml(stylesheetAddress(NO_COLORS))}">
</head>
<body>
<main>
<h1>${escapedHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;

/** A text that came from people, within other text: marks of direction in it change nothing around it. */
export const fromPeople = (text: string): string => `<bdi>${escapedHtml(text)}</bdi>`;
