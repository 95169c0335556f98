import type { ErrorBody } from '../errors.ts';

/** Renders a minimal error page. */
export const errorPage = ({ code, status, message }: ErrorBody): string =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${code} ${escapedHtml(status)}</title></head>
<body><h1>${escapedHtml(status)}</h1><p>${escapedHtml(message)}</p></body>
</html>
`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML elements and for quoted attributes. */
export const escapedHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
