import { readColour, type Colour } from '../../messages/colours.ts';
import type { PageFields } from '../../domain/page/fields.ts';

/** Names of the colours that a status page can set, in the order in which the address of its theme lists the values. */
export const THEME_COLORS = [
  'css_body_background_color',
  'css_font_color',
  'css_light_font_color',
  'css_border_color',
  'css_link_color',
  'css_button_color',
  'css_button_text_color',
  'css_button_border_color',
  'css_button_hover_color',
  'css_graph_color',
  'css_no_data',
  'css_spinner_color',
  'css_greens',
  'css_blues',
  'css_yellows',
  'css_oranges',
  'css_reds',
] as const satisfies readonly (keyof PageFields)[];

type ThemeColor = (typeof THEME_COLORS)[number];

/**
 * The colour settings of a page. The field of a colour group counts only if it contains a single colour, not CSS rules.
 */
export type ThemedPage = Pick<PageFields, ThemeColor>;

/** The colours that a page has set; null: not set. */
export type Theme = Readonly<Record<ThemeColor, Colour | null>>;

export const themeOf = (page: ThemedPage): Theme => themed((name) => readColour(page[name]?.trim() ?? null));

const themed = (colour: (name: ThemeColor, index: number) => Colour | null): Theme =>
  Object.fromEntries(THEME_COLORS.map((name, index) => [name, colour(name, index)])) as Theme;

/**
 * Returns a theme as text, with the colours in a fixed order: `fff8e7-403000-…`. A colour that is not set is an empty
 * text between hyphens.
 */
export const themeText = (theme: Theme): string => THEME_COLORS.map((name) => theme[name]?.slice(1) ?? '').join('-');

const THEME_TEXT = new RegExp(`^(?:[0-9a-f]{6})?(?:-(?:[0-9a-f]{6})?){${THEME_COLORS.length - 1}}$`);

/** Parses a text that {@link themeText} has created. Returns null if the text does not have this form. */
export const readTheme = (text: string): Theme | null => {
  if (!THEME_TEXT.test(text)) return null;
  const digits = text.split('-');
  return themed((_, index) => (digits[index] ? `#${digits[index]}` : null));
};

/** Returns whether a page has set none of the colours. */
export const isPlain = (theme: Theme): boolean => THEME_COLORS.every((name) => theme[name] === null);
