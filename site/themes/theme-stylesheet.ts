import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { isPlain, themeOf, themeText, type Theme, type ThemedPage } from '../../views/themes/theme.ts';
import { isDarkPage, tokensOf, type Tokens } from '../../views/themes/tokens.ts';

/** Path of the stylesheet, below the root of a status page. */
export const THEME_PATH = '/theme.css';

/**
 * Selector that is more specific than all rules of `_tokens.css`. So it does not matter whether a browser loads the
 * theme's stylesheet before or after `_tokens.css`.
 */
const ROOT = ':root:root:root';

const rule = (selector: string, tokens: Tokens, more = ''): string =>
  `${selector}{${more}${Object.entries(tokens)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`;

/** Returns the CSS of a theme's colours. The colours apply only to screens, not to printed pages. */
const written = (theme: Theme): string => {
  const light = tokensOf(theme, 'light');
  if (isDarkPage(theme)) return `@media screen{${rule(ROOT, light, 'color-scheme:dark;')}}\n`;
  const dark = tokensOf(theme, 'dark');
  return [
    `@media screen{${rule(ROOT, light)}}`,
    `@media screen and (prefers-color-scheme:dark){${rule(`${ROOT}:not([data-theme='light'])`, dark)}}`,
    `@media screen{${rule(`${ROOT}[data-theme='dark']`, dark)}}`,
    '',
  ].join('\n');
};

export interface Stylesheet {
  css: string;
  /** hash of the content */
  version: string;
}

/** Returns a stylesheet with a hash of its content, for its URL. */
export const versioned = (css: string): Stylesheet => ({ css, version: hash('sha256', css, 'base64url').slice(0, 12) });

const known = new LRUCache<string, Stylesheet>({ max: 500 });

/** Returns the stylesheet of a theme. */
export const themeStylesheet = (theme: Theme): Stylesheet => {
  const text = themeText(theme);
  const found = known.get(text);
  if (found) return found;
  const made = versioned(written(theme));
  known.set(text, made);
  return made;
};

/**
 * Returns the URL of the stylesheet with a page's colours, relative to the page's root. Returns null if the page has
 * set no colours. The URL contains the colours, so that the stylesheet can be served to visitors without access to the
 * page.
 */
export const themeAddress = (page: ThemedPage): string | null => {
  const theme = themeOf(page);
  if (isPlain(theme)) return null;
  return `${THEME_PATH.slice(1)}?colors=${themeText(theme)}&v=${themeStylesheet(theme).version}`;
};
