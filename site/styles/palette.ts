import type { PageFields } from '../../domain/page/fields.ts';
import { contrast, isDark, readable, readColour, type Colour } from '../../messages/colours.ts';

/** Names of the colours that a status page can set. The URL of its stylesheet lists their values in this order. */
export const PAGE_COLORS = [
  'css_body_background_color',
  'css_font_color',
  'css_light_font_color',
  'css_border_color',
  'css_button_color',
  'css_button_text_color',
] as const satisfies readonly (keyof PageFields)[];

/** The colours that a page sets: `#RRGGBB` or `#RGB`. */
export type PageColors = Readonly<Record<(typeof PAGE_COLORS)[number], string | null>>;

/** The colours that a page uses. Texts are readable on their backgrounds (WCAG 2.2, 1.4.3). */
export interface Palette {
  background: Colour;
  text: Colour;
  /** secondary text */
  muted: Colour;
  border: Colour;
  button: Colour;
  buttonText: Colour;
  /** edge of the button, which must contrast with the background (WCAG 2.2, 1.4.11) */
  buttonEdge: Colour;
}

const DEFAULTS = {
  light: { background: '#ffffff', text: '#1c2128', muted: '#57606a', border: '#d5dae0' },
  dark: { background: '#14171c', text: '#e7eaee', muted: '#a3adb8', border: '#353c46' },
} as const;
const BUTTON = { button: '#1d5fc4', buttonText: '#ffffff' } as const;

/** Minimum contrast of a control with the background. */
const VISIBLE = 3;

/**
 * Returns the colours of a page in a colour scheme. In light mode, the page's own colours apply. In dark mode, all of
 * them apply only if the page's background colour is dark. Otherwise, only the button has the page's own colours.
 */
export const paletteOf = (colors: PageColors, scheme: 'light' | 'dark'): Palette => {
  const own = readColour(colors.css_body_background_color);
  const ownDark = own !== null && isDark(own);
  const isOwn = scheme === 'light' || ownDark;
  const base = DEFAULTS[ownDark ? 'dark' : scheme];
  const pick = (color: string | null, otherwise: Colour): Colour => (isOwn ? readColour(color) : null) ?? otherwise;
  const background = pick(own, base.background);
  const text = readable(pick(colors.css_font_color, base.text), background);
  const button = readColour(colors.css_button_color) ?? BUTTON.button;
  return {
    background,
    text,
    muted: readable(pick(colors.css_light_font_color, base.muted), background),
    border: pick(colors.css_border_color, base.border),
    button,
    buttonText: readable(readColour(colors.css_button_text_color) ?? BUTTON.buttonText, button),
    buttonEdge: contrast(button, background) >= VISIBLE ? button : text,
  };
};

/** Returns the colours of a page as text for URLs: `ffffff-----1d5fc4`. */
export const colorsText = (colors: PageColors): string =>
  PAGE_COLORS.map((name) => readColour(colors[name])?.slice(1) ?? '').join('-');

const COLORS_TEXT = /^(?:[0-9a-f]{6})?(?:-(?:[0-9a-f]{6})?){5}$/;

/** Parses a text that {@link colorsText} has created. Returns null if the text is invalid. */
export const readColors = (text: string): PageColors | null => {
  if (!COLORS_TEXT.test(text)) return null;
  const values = text.split('-').map((digits) => (digits === '' ? null : `#${digits}`));
  return Object.fromEntries(PAGE_COLORS.map((name, index) => [name, values[index]])) as PageColors;
};

/** The colours of pages that set none, and of error pages. */
export const NO_COLORS = readColors('-----') as PageColors;
