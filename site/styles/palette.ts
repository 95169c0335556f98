import type { PageFields } from '../../domain/page/fields.ts';
import { contrast, isDark, readable, readColour, type Colour } from '../../messages/colours.ts';

/** Colours that a status page may have, in the order in which the address of its stylesheet names them. */
export const PAGE_COLORS = [
  'css_body_background_color',
  'css_font_color',
  'css_light_font_color',
  'css_border_color',
  'css_button_color',
  'css_button_text_color',
] as const satisfies readonly (keyof PageFields)[];

/** The colours that a page has set: `#RRGGBB` or `#RGB`. */
export type PageColors = Readonly<Record<(typeof PAGE_COLORS)[number], string | null>>;

/** The colours of a page of the site, each `#rrggbb`; texts can be read on what is behind them (WCAG 2.2, 1.4.3). */
export interface Palette {
  background: Colour;
  text: Colour;
  /** less important text */
  muted: Colour;
  border: Colour;
  button: Colour;
  buttonText: Colour;
  /** around the button, which must stand out from the background (WCAG 2.2, 1.4.11) */
  buttonEdge: Colour;
}

const DEFAULTS = {
  light: { background: '#ffffff', text: '#1c2128', muted: '#57606a', border: '#d5dae0' },
  dark: { background: '#14171c', text: '#e7eaee', muted: '#a3adb8', border: '#353c46' },
} as const;
const BUTTON = { button: '#1d5fc4', buttonText: '#ffffff' } as const;

/** What shows a control must differ from the background by this. */
const VISIBLE = 3;

/**
 * The colours of a page for a visitor who prefers light or dark ones. A page's own colours are made for a light
 * screen, unless its background is dark; on a dark screen only its button keeps them.
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

/** Page colours as one text, which names nothing else: `ffffff-----1d5fc4`. */
export const colorsText = (colors: PageColors): string =>
  PAGE_COLORS.map((name) => readColour(colors[name])?.slice(1) ?? '').join('-');

const COLORS_TEXT = /^(?:[0-9a-f]{6})?(?:-(?:[0-9a-f]{6})?){5}$/;

/** The opposite of {@link colorsText}; null: it is none. */
export const readColors = (text: string): PageColors | null => {
  if (!COLORS_TEXT.test(text)) return null;
  const values = text.split('-').map((digits) => (digits === '' ? null : `#${digits}`));
  return Object.fromEntries(PAGE_COLORS.map((name, index) => [name, values[index]])) as PageColors;
};

/** Of a page that has set none, and of errors. */
export const NO_COLORS = readColors('-----') as PageColors;
