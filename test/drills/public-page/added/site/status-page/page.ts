import type { ErrorBody } from '../../http/errors.ts';
import { escapedHtml } from '../../http/media/error-page.ts';

const layout = (title: string, body: string): string =>
  `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapedHtml(title)}</title></head>
<body><h1>${escapedHtml(title)}</h1>
${body}
</body>
</html>
`;

/** Renders a page with its open incidents and a form to report a problem. */
export const statusPage = (
  page: { id: string; name: string },
  incidents: readonly { incident: { name: string } }[],
): string =>
  layout(
    page.name,
    `<ul>${incidents.map(({ incident: { name } }) => `<li>${escapedHtml(name)}</li>`).join('')}</ul>
<form method="post" action="/notices/${page.id}/problems"><input name="what" required><button>Tell</button></form>`,
  );

/** Renders an error page in the style of the site. */
export const errorPage = ({ status, message }: ErrorBody): string =>
  layout(status, `<p class="error">${escapedHtml(message)}</p>`);
