import { escapedHtml } from '../http/media/error-page.ts';
import { NO_COLORS } from './styles/palette.ts';
import { stylesheetAddress } from './styles/stylesheet.ts';

/** The content of a page of the site. */
export interface PageContent {
  /** language of the texts, ISO 639-1 */
  language: string;
  /** plain text */
  title: string;
  /** HTML after the title. All untrusted text in it must be escaped */
  content: string;
}

/** Returns a page with a title and a few sentences. Search engines do not index it. */
export const layout = ({ language, title, content }: PageContent): string => `<!doctype html>
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

/**
 * Returns an untrusted text as HTML for use within other text. Direction marks in the text do not affect the text
 * around it.
 */
export const fromPeople = (text: string): string => `<bdi>${escapedHtml(text)}</bdi>`;
