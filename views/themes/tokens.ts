import { contrast, isDark, legible, mixed, type Colour } from '../../messages/colours.ts';
import { BASE_COLOURS, COLOURED_STATES, type ColouredState, type StateTokens } from './base-colours.ts';
import type { Theme } from './theme.ts';

/** Colours of a page by the names of `site/styles/_tokens.css` and of the properties that status.css reads. */
export type Tokens = Readonly<Record<`--${string}`, Colour>>;

/** The colour groups of a page, by the state that uses each. */
const GROUPS = {
  operational: 'css_greens',
  maintenance: 'css_blues',
  degraded: 'css_yellows',
  partial: 'css_oranges',
  major: 'css_reds',
} as const satisfies Record<ColouredState, keyof Theme>;

/**
 * Minimum contrast with the background: `TEXT` for texts (WCAG 2.2, 1.4.3), and `SHAPE` for states and controls
 * (1.4.11).
 */
const TEXT = 4.5;
const SHAPE = 3;

/** Returns whether a page has set a dark background. Such a page is dark for all visitors. */
export const isDarkPage = ({ css_body_background_color: background }: Theme): boolean =>
  background !== null && isDark(background);

/**
 * Returns the tokens of a theme in light or dark mode. If the page has a dark background, all its colours are used in
 * both modes. Otherwise, all its colours are used in light mode, and only those of buttons and states in dark mode.
 * Texts and states have enough contrast with their background, whatever colours a page sets.
 */
export const tokensOf = (theme: Theme, scheme: 'light' | 'dark'): Tokens => {
  const base = BASE_COLOURS[isDarkPage(theme) ? 'dark' : scheme];
  const isOwn = scheme === 'light' || isDarkPage(theme);
  const own = (name: keyof Theme): Colour | null => (isOwn ? theme[name] : null);
  const bg = own('css_body_background_color') ?? base.bg;
  const isBase = bg === base.bg;
  const subtle = isBase ? base.subtle : shaded(bg, base.text, [0.04, 0.02]);
  const grounds = [bg, subtle] as const;
  const states = COLOURED_STATES.map((name): [ColouredState, StateTokens] => {
    const set = theme[GROUPS[name]];
    return [name, set === null && isBase ? base.states[name] : stateOn(grounds, base.states[name], set)];
  });
  const accent = legible(own('css_link_color') ?? base.accent, grounds, TEXT);
  const colour = (name: keyof Theme, otherwise: Colour): Colour => {
    const set = own(name);
    return set === null ? otherwise : legible(set, grounds, SHAPE);
  };
  const muted = legible(own('css_light_font_color') ?? base.muted, grounds, TEXT);
  return {
    '--bg': bg,
    '--subtle': subtle,
    '--line': own('css_border_color') ?? (isBase ? base.line : mixed(bg, base.text, 0.12)),
    '--control': legible(base.control, grounds, SHAPE),
    '--text': legible(own('css_font_color') ?? base.text, [bg, subtle, ...states.map(([, { tint }]) => tint)], TEXT),
    '--muted': muted,
    '--accent': accent,
    '--on-accent': legible(base.onAccent, [accent], TEXT),
    '--no-data-fill': colour('css_no_data', base.noData),
    '--graph': colour('css_graph_color', accent),
    '--connection': colour('css_spinner_color', muted),
    ...buttonOn(bg, theme, { fill: accent, text: base.onAccent }),
    ...Object.fromEntries(
      states.flatMap(([name, { fill, text, tint }]) => [
        [`--${name}-fill`, fill],
        [`--${name}-text`, text],
        [`--${name}-tint`, tint],
      ]),
    ),
  };
};

/**
 * Possible shares of a state's colour in the tint of the state. The first share with which texts on the tint are
 * readable is used.
 */
const TINTS = { light: [0.1, 0.06, 0.03], dark: [0.16, 0.1, 0.04] } as const;

const stateOn = ([bg, subtle]: readonly [Colour, Colour], base: StateTokens, set: Colour | null): StateTokens => {
  const tint = shaded(bg, set ?? base.fill, TINTS[isDark(bg) ? 'dark' : 'light']);
  const grounds = [bg, subtle, tint] as const;
  return { fill: legible(set ?? base.fill, grounds, SHAPE), text: legible(set ?? base.text, grounds, TEXT), tint };
};

/**
 * Mixes a background with a share of another colour. Uses the first of `shares` with which texts on the result are
 * readable.
 */
const shaded = (bg: Colour, other: Colour, shares: readonly number[]): Colour => {
  const end = isDark(bg) ? '#ffffff' : '#000000';
  const found = shares.map((share) => mixed(bg, other, share)).find((one) => contrast(one, end) >= TEXT);
  return found ?? bg;
};

/** Returns the tokens of the primary button. The button or its border has enough contrast with the background. */
const buttonOn = (bg: Colour, theme: Theme, otherwise: { fill: Colour; text: Colour }): Tokens => {
  const button = theme.css_button_color ?? otherwise.fill;
  const hover = theme.css_button_hover_color ?? button;
  const edge = theme.css_button_border_color ?? button;
  const text = theme.css_button_text_color ?? otherwise.text;
  return {
    '--button': button,
    '--button-edge': contrast(button, bg) >= SHAPE ? edge : legible(edge, [bg], SHAPE),
    '--button-text': legible(text, [button], TEXT),
    '--button-hover': hover,
    '--button-hover-text': legible(text, [hover], TEXT),
  };
};
