import type { NoticePage } from '../notice.ts';
import type { Tone } from '../tone.ts';
import { isDark, mixed, readable, readColour, type Colour } from '../colours.ts';

/** The colours of an e-mail in one colour scheme. All text colours are readable on their backgrounds. */
export interface Palette {
  /** outermost background */
  canvas: Colour;
  /** text on the canvas */
  onCanvas: Colour;
  /** background of the content */
  card: Colour;
  text: Colour;
  /** secondary text */
  muted: Colour;
  border: Colour;
  link: Colour;
  button: Colour;
  buttonText: Colour;
  /** background of code */
  shade: Colour;
  tones: Readonly<Record<Tone, { text: Colour; dot: Colour; background: Colour }>>;
}

export type PageColours = Pick<
  NoticePage,
  | 'css_body_background_color'
  | 'css_font_color'
  | 'css_link_color'
  | 'css_button_color'
  | 'css_button_text_color'
  | 'css_border_color'
  | 'css_light_font_color'
>;

const LIGHT_CANVAS = '#f3f4f6';
const DARK_CANVAS = '#101216';
const DARK_CARD = '#1b1e24';
/** The accent colour, which is the same as on the pages of the site. */
const ACCENT = '#1d5fc4';
const TONES: Readonly<Record<Tone, Colour>> = {
  good: '#16a34a',
  calm: '#2563eb',
  uneasy: '#ca8a04',
  bad: '#ea580c',
  worst: '#dc2626',
};

/** Returns the colours for light mode: the page's own colours, adjusted where they would be unreadable. */
export const lightPalette = (page: PageColours): Palette => {
  const canvas = readColour(page.css_body_background_color) ?? LIGHT_CANVAS;
  const card = isDark(canvas) ? mixed(canvas, '#ffffff', 0.07) : '#ffffff';
  const text = readColour(page.css_font_color);
  const [muted, border] = [readColour(page.css_light_font_color), readColour(page.css_border_color)];
  return paletteOn({ canvas, card, text, muted, border }, page);
};

/** Returns the colours for dark mode. A page with a dark background keeps its own colours. */
export const darkPalette = (page: PageColours): Palette => {
  const light = lightPalette(page);
  if (isDark(light.canvas)) return light;
  return paletteOn({ canvas: DARK_CANVAS, card: DARK_CARD, text: null, muted: null, border: null }, page);
};

interface Ground {
  canvas: Colour;
  card: Colour;
  text: Colour | null;
  muted: Colour | null;
  border: Colour | null;
}

const paletteOn = (ground: Ground, page: PageColours): Palette => {
  const { canvas, card, border } = ground;
  const dark = isDark(card);
  const text = readable(ground.text ?? (dark ? '#e8eaed' : '#111827'), card);
  const muted = readable(ground.muted ?? mixed(text, card, 0.35), card);
  const button = readable(readColour(page.css_button_color) ?? ACCENT, card, 1.5);
  return {
    canvas,
    onCanvas: readable(muted, canvas),
    card,
    text,
    muted,
    border: border ?? mixed(text, card, 0.86),
    link: readable(readColour(page.css_link_color) ?? ACCENT, card),
    button,
    buttonText: readable(readColour(page.css_button_text_color) ?? (isDark(button) ? '#ffffff' : '#111827'), button),
    shade: mixed(text, card, 0.94),
    tones: {
      good: toneOn(TONES.good, card),
      calm: toneOn(TONES.calm, card),
      uneasy: toneOn(TONES.uneasy, card),
      bad: toneOn(TONES.bad, card),
      worst: toneOn(TONES.worst, card),
    },
  };
};

const toneOn = (colour: Colour, card: Colour): Palette['tones'][Tone] => {
  const background = mixed(colour, card, isDark(card) ? 0.8 : 0.9);
  return { text: readable(colour, background), dot: readable(colour, card, 3), background };
};
