import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** The data of the HTML document around the content of a page. */
export interface DocumentProps {
  /** BCP 47 */
  language: string;
  title: string;
  /** absent: the preference of the visitor's browser applies */
  theme?: 'light' | 'dark' | undefined;
  /** addresses of stylesheets, relative to the page */
  stylesheets: readonly string[];
  /** addresses of scripts, relative to the page; the page works without them */
  scripts?: readonly string[];
  /** whether search engines are allowed to list the page */
  indexed: boolean;
  /** the referrer policy; default: browsers send the page's address only to the origin of the page */
  referrer?: 'no-referrer';
  /** further elements of the head */
  head?: ComponentChildren;
  children: ComponentChildren;
}

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

/** Returns the writing direction of a language. */
export const directionOf = (language: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr');

/** A complete HTML document with head and body. */
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

/** Returns a page as HTML text. */
export const pageHtml = (page: JSX.Element): string => `<!doctype html>\n${renderToString(page)}\n`;

/**
 * Returns a picture as SVG text. Replaces `]]>`, the end of a CDATA section, which XML does not allow in text (XML 1.0,
 * 2.4).
 */
export const svgText = (picture: JSX.Element): string => renderToString(picture).replaceAll(']]>', ']]&gt;');
