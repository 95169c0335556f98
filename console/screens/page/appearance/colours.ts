import { contrast, readColour, type Colour } from '../../../../messages/colours.ts';
import { themeOf, type ThemedPage } from '../../../../views/themes/theme.ts';
import { tokensOf, type Tokens } from '../../../../views/themes/tokens.ts';

/** Names of the colour fields, in the order of the form. */
export const COLOUR_FIELDS = [
  'css_body_background_color',
  'css_font_color',
  'css_light_font_color',
  'css_link_color',
  'css_border_color',
  'css_button_color',
  'css_button_text_color',
  'css_button_border_color',
  'css_button_hover_color',
  'css_graph_color',
  'css_no_data',
  'css_spinner_color',
] as const satisfies readonly (keyof ThemedPage)[];

/** Names of the fields that contain the colour of a state, or CSS rules for the whole page. */
export const STATE_FIELDS = [
  'css_greens',
  'css_blues',
  'css_yellows',
  'css_oranges',
  'css_reds',
] as const satisfies readonly (keyof ThemedPage)[];

export type ColourField = (typeof COLOUR_FIELDS)[number];
export type StateField = (typeof STATE_FIELDS)[number];
export const THEMED_FIELDS: readonly (ColourField | StateField)[] = [...COLOUR_FIELDS, ...STATE_FIELDS];

type Token = keyof Tokens;

/**
 * For each field, the design token that it sets, and the token of the adjacent colour. The two colours must contrast.
 */
const PAIRS: Readonly<Record<ColourField | StateField, readonly [token: Token, beside: Token]>> = {
  css_body_background_color: ['--bg', '--text'],
  css_font_color: ['--text', '--bg'],
  css_light_font_color: ['--muted', '--bg'],
  css_link_color: ['--accent', '--bg'],
  css_border_color: ['--line', '--bg'],
  css_button_color: ['--button', '--button-text'],
  css_button_text_color: ['--button-text', '--button'],
  css_button_border_color: ['--button-edge', '--bg'],
  css_button_hover_color: ['--button-hover', '--button-hover-text'],
  css_graph_color: ['--graph', '--bg'],
  css_no_data: ['--no-data-fill', '--bg'],
  css_spinner_color: ['--connection', '--bg'],
  css_greens: ['--operational-fill', '--bg'],
  css_blues: ['--maintenance-fill', '--bg'],
  css_yellows: ['--degraded-fill', '--bg'],
  css_oranges: ['--partial-fill', '--bg'],
  css_reds: ['--major-fill', '--bg'],
};

/** The colour that a page uses for a field. */
export interface UsedColour {
  /** the configured colour; null: none is configured, or the value is not a colour */
  set: Colour | null;
  used: Colour;
  /** contrast with the adjacent colour, 1 to 21 */
  contrast: number;
}

/** Returns a function that returns the colour of a field in light mode, after adjustments for readability. */
export const usedColours = (page: ThemedPage): ((field: ColourField | StateField) => UsedColour) => {
  const tokens = tokensOf(themeOf(page), 'light');
  return (field) => {
    const [token, beside] = PAIRS[field];
    const [used, other] = [tokens[token] ?? '#000000', tokens[beside] ?? '#ffffff'];
    return { set: readColour(page[field]?.trim() ?? null), used, contrast: contrast(used, other) };
  };
};
