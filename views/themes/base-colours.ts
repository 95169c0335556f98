import type { Colour } from '../../messages/colours.ts';

/** The states that have a colour of their own, with the names that the tokens use. */
export const COLOURED_STATES = ['operational', 'maintenance', 'degraded', 'partial', 'major'] as const;
export type ColouredState = (typeof COLOURED_STATES)[number];

export interface StateTokens {
  fill: Colour;
  text: Colour;
  tint: Colour;
}

interface BaseColours {
  bg: Colour;
  subtle: Colour;
  line: Colour;
  control: Colour;
  text: Colour;
  muted: Colour;
  accent: Colour;
  onAccent: Colour;
  noData: Colour;
  states: Readonly<Record<ColouredState, StateTokens>>;
}

/**
 * The colours of `site/styles/_tokens.css`, on which every theme is based. test/site/themes/tokens.test.ts verifies
 * that both files contain the same colours.
 */
export const BASE_COLOURS: Readonly<Record<'light' | 'dark', BaseColours>> = {
  light: {
    bg: '#ffffff',
    subtle: '#f6f7f9',
    line: '#e3e6ea',
    control: '#858e99',
    text: '#14181f',
    muted: '#56606c',
    accent: '#2458d3',
    onAccent: '#ffffff',
    noData: '#c4cad2',
    states: {
      operational: { fill: '#16935a', text: '#0e7344', tint: '#e8f6ee' },
      maintenance: { fill: '#3a6fe0', text: '#2953bd', tint: '#eaf0fd' },
      degraded: { fill: '#b38200', text: '#7d5900', tint: '#fcf4da' },
      partial: { fill: '#c04a08', text: '#9a3d00', tint: '#fdeddf' },
      major: { fill: '#b3131b', text: '#a01219', tint: '#fdeaea' },
    },
  },
  dark: {
    bg: '#0f1216',
    subtle: '#181c22',
    line: '#2a313b',
    control: '#6f7985',
    text: '#e8ebef',
    muted: '#9aa5b1',
    accent: '#7ea6ff',
    onAccent: '#0f1216',
    noData: '#3d4651',
    states: {
      operational: { fill: '#2fb574', text: '#62d49c', tint: '#11251b' },
      maintenance: { fill: '#6b9bff', text: '#94b6ff', tint: '#141f38' },
      degraded: { fill: '#f0c64a', text: '#ecc75e', tint: '#282009' },
      partial: { fill: '#e8762c', text: '#f5a568', tint: '#2b1a0d' },
      major: { fill: '#f0554f', text: '#f88d89', tint: '#2e1515' },
    },
  },
};
