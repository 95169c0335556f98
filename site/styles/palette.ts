import type { PageFields } from '../../domain/page/fields.ts';

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
  background: string;
  text: string;
  /** less important text */
  muted: string;
  border: string;
  button: string;
  buttonText: string;
  /** around the button, which must stand out from the background (WCAG 2.2, 1.4.11) */
  buttonEdge: string;
}

const DEFAULTS = {
  light: { background: '#ffffff', text: '#1c2128', muted: '#57606a', border: '#d5dae0' },
  dark: { background: '#14171c', text: '#e7eaee', muted: '#a3adb8', border: '#353c46' },
} as const;
const BUTTON = { button: '#1d5fc4', buttonText: '#ffffff' };

/** What text and its background must differ by, and what shows a control. */
const READABLE = 4.5;
const VISIBLE = 3;
/** A background of less luminance is dark, whatever the visitor prefers. */
const DARK = 0.18;

/**
 * The colours of a page for a visitor who prefers light or dark ones. A page's own colours are made for a light
 * screen, unless its background is dark; on a dark screen only its button keeps them.
 */
export const paletteOf = (colors: PageColors, scheme: 'light' | 'dark'): Palette => {
  const own = colors.css_body_background_color;
  const isOwn = scheme === 'light' || (own !== null && luminance(own) < DARK);
  const base = DEFAULTS[own !== null && isOwn && luminance(own) < DARK ? 'dark' : scheme];
  const pick = (color: string | null, otherwise: string): string => sixDigits((isOwn ? color : null) ?? otherwise);
  const background = pick(own, base.background);
  const text = readable(pick(colors.css_font_color, base.text), background);
  const button = sixDigits(colors.css_button_color ?? BUTTON.button);
  return {
    background,
    text,
    muted: readable(pick(colors.css_light_font_color, base.muted), background),
    border: pick(colors.css_border_color, base.border),
    button,
    buttonText: readable(sixDigits(colors.css_button_text_color ?? BUTTON.buttonText), button),
    buttonEdge: contrast(button, background) >= VISIBLE ? button : text,
  };
};

const readable = (color: string, background: string): string => {
  if (contrast(color, background) >= READABLE) return color;
  return contrast('#000000', background) >= contrast('#ffffff', background) ? '#000000' : '#ffffff';
};

/** How much two colours differ, from 1 to 21 (WCAG 2.2: contrast ratio). */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (lighter + 0.05) / (darker + 0.05);
};

/** WCAG 2.2: relative luminance, from 0 to 1. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const value = Number.parseInt(sixDigits(color).slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** `#RGB` or `#RRGGBB` as `#rrggbb`. */
const sixDigits = (color: string): string => {
  const digits = color.slice(1).toLowerCase();
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
};

/** Page colours as one text, which names nothing else: `ffffff-----1d5fc4`. */
export const colorsText = (colors: PageColors): string =>
  PAGE_COLORS.map((name) => (colors[name] === null ? '' : sixDigits(colors[name]).slice(1))).join('-');

const COLORS_TEXT = /^(?:[0-9a-f]{6})?(?:-(?:[0-9a-f]{6})?){5}$/;

/** The opposite of {@link colorsText}; null: it is none. */
export const readColors = (text: string): PageColors | null => {
  if (!COLORS_TEXT.test(text)) return null;
  const values = text.split('-').map((digits) => (digits === '' ? null : `#${digits}`));
  return Object.fromEntries(PAGE_COLORS.map((name, index) => [name, values[index]])) as PageColors;
};

/** Of a page that has set none, and of errors. */
export const NO_COLORS = readColors('-----') as PageColors;
