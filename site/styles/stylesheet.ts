import { hash } from 'node:crypto';
import { isDark, readable } from '../../messages/colours.ts';
import { colorsText, NO_COLORS, paletteOf, type PageColors, type Palette } from './palette.ts';

/**
 * Path of stylesheets. They are separate files, because the policy of pages forbids inline styles
 * (http/media/media-types.ts).
 */
export const STYLESHEET_PATH = '/site/style.css';

const RULES = `
*, ::before, ::after { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body {
  margin: 0; padding: 1.5rem 1rem; min-height: 100vh; min-height: 100svh;
  display: flex; align-items: center; justify-content: center;
  background: var(--background); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
  overflow-wrap: anywhere;
}
main { width: 100%; max-width: 32rem; padding: 2rem; border: 1px solid var(--border); border-radius: .75rem }
.name { margin: 0 0 1.25rem; padding-bottom: 1rem; border-bottom: 1px solid var(--border); font-weight: 600 }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; text-wrap: balance }
p { margin: 0 0 1rem }
main > :last-child { margin-bottom: 0 }
form { margin: 1.5rem 0 }
label { display: block; margin: 0 0 1rem; font-weight: 600 }
input {
  display: block; width: 100%; min-height: 2.75rem; margin: .25rem 0 0; padding: .5rem .75rem;
  border: 1px solid var(--muted); border-radius: .5rem;
  background: var(--background); color: var(--text); font: inherit; font-weight: 400;
}
input:focus-visible { outline: 3px solid var(--text); outline-offset: 1px }
input[readonly] { color: var(--muted) }
.wrong { padding: .75rem 1rem; border: 2px solid var(--text); border-radius: .5rem }
.muted { color: var(--muted); font-size: .875rem }
button {
  min-height: 2.75rem; padding: .6rem 1.4rem; border: 2px solid var(--button-edge); border-radius: .5rem;
  background: var(--button); color: var(--button-text); font: inherit; font-weight: 600; cursor: pointer;
}
button:hover { text-decoration: underline; text-underline-offset: .2em }
button:focus-visible { outline: 3px solid var(--text); outline-offset: 3px }
@media (max-width: 30rem) {
  body { padding: 0; align-items: flex-start }
  main { border: 0; padding: 1.5rem 1.25rem }
  button { width: 100% }
}
`;

const variables = (palette: Palette): string =>
  [
    ['background', palette.background],
    ['text', palette.text],
    ['muted', palette.muted],
    ['border', palette.border],
    ['button', palette.button],
    ['button-text', palette.buttonText],
    ['button-edge', palette.buttonEdge],
  ]
    .map(([name, value]) => `--${name ?? ''}:${value ?? ''}`)
    .join(';');

/** Returns the stylesheet of pages with these colours, for light and dark mode. */
export const stylesheet = (colors: PageColors): string =>
  `:root{color-scheme:light dark;${variables(paletteOf(colors, 'light'))}}
@media (prefers-color-scheme:dark){:root{${variables(paletteOf(colors, 'dark'))}}}
${RULES.trim()}
`;

/** Path of a stylesheet with only the colours, for pages that use status.css. */
export const COLORS_PATH = '/site/colors.css';

/**
 * Returns declarations that replace values of status.css, so that links and error messages are readable on the page's
 * background.
 */
const tokensOf = (colors: PageColors, scheme: 'light' | 'dark'): string => {
  const palette = paletteOf(colors, scheme);
  const dark = isDark(palette.background);
  return [
    `color-scheme:${dark ? 'dark' : 'light'}`,
    `--bg:${palette.background}`,
    `--subtle:color-mix(in srgb,${palette.text} 6%,${palette.background})`,
    `--text:${palette.text}`,
    `--muted:${palette.muted}`,
    `--line:${palette.border}`,
    `--control:${palette.muted}`,
    `--accent:${palette.text}`,
    `--major-text:${readable(dark ? '#f88d89' : '#a01219', palette.background)}`,
    `--major-tint:${palette.background}`,
    `--button:${palette.button}`,
    `--button-hover:${palette.button}`,
    `--button-text:${palette.buttonText}`,
    `--button-edge:${palette.buttonEdge}`,
  ].join(';');
};

/**
 * Returns a stylesheet that replaces design tokens (_tokens.css) by the page's own colours, for light and dark mode.
 */
export const colorsStylesheet = (colors: PageColors): string => `:root:root:root{${tokensOf(colors, 'light')}}
@media (prefers-color-scheme:dark){:root:root:root{${tokensOf(colors, 'dark')}}}
`;

/** Returns the URL of the stylesheet with a page's colours, or null if the page has set none. */
export const colorsAddress = (colors: PageColors): string | null => {
  const text = colorsText(colors);
  return text === colorsText(NO_COLORS) ? null : `${COLORS_PATH}?colors=${text}`;
};

/**
 * Hash of the stylesheet. It is part of the URL. Therefore, browsers can cache the stylesheet permanently, and still
 * get the new stylesheet after a release.
 */
const RELEASE = hash('sha256', stylesheet(NO_COLORS)).slice(0, 8);

/** Returns the URL of the stylesheet of a page with these colours. */
export const stylesheetAddress = (colors: PageColors): string =>
  `${STYLESHEET_PATH}?colors=${colorsText(colors)}&release=${RELEASE}`;
