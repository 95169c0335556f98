import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** What every page of the service has around its content. */
export interface DocumentProps {
  /** BCP 47 */
  language: string;
  title: string;
  /** absent: the visitor's browser decides */
  theme?: 'light' | 'dark' | undefined;
  /** addresses of stylesheets, relative to the page */
  stylesheets: readonly string[];
  /** addresses of scripts, relative to the page; each is a bonus, not a need */
  scripts?: readonly string[];
  /** whether search engines may list it */
  indexed: boolean;
  /** who is told its address when a link is followed; default: pages of the same origin */
  referrer?: 'no-referrer';
  /** further elements of the head */
  head?: ComponentChildren;
  children: ComponentChildren;
}

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

/** The direction in which a language is written. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr');

/** A whole page: head and body. */
export const Document = (props: DocumentProps & { direction?: 'ltr' | 'rtl' }): JSX.Element => {
  const { language, title, theme, stylesheets, scripts = [], indexed, referrer, head, children } = props;
  return (
    <html lang={language} dir={props.direction ?? directionOf(language)} data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <meta name="referrer" content={referrer ?? 'same-origin'} />
        {!indexed && <meta name="robots" content="noindex, nofollow" />}
        {stylesheets.map((href) => (
          <link rel="stylesheet" href={href} />
        ))}
        {scripts.map((src) => (
          <script src={src} defer />
        ))}
        {head}
      </head>
      <body>{children}</body>
    </html>
  );
};

/** A page as HTML text. */
export const pageHtml = (page: JSX.Element): string => `<!doctype html>\n${renderToString(page)}\n`;

/** A picture as SVG text. What HTML may have in a text, XML may not: the end of a CDATA section (XML 1.0, 2.4). */
export const svgText = (picture: JSX.Element): string => renderToString(picture).replaceAll(']]>', ']]&gt;');
