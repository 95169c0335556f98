import type { ComponentStatus } from '../domain/page/component-status.ts';
import type { Colour } from './colours.ts';

/** How a state is coloured, on a light background unless it says otherwise. */
export interface StateColours {
  /** of marks and bars: at least 3:1 on white and on `tint` (WCAG 2.2, 1.4.11) */
  fill: Colour;
  /** of text: at least 4.5:1 on white and on `tint`, and white on it likewise (WCAG 2.2, 1.4.3) */
  text: Colour;
  tint: Colour;
  /** on a dark background, at least 3:1 */
  darkFill: Colour;
}

/** The colours of states where no stylesheet reaches: in pictures, and in pages of others. */
export const STATE_COLOURS: Readonly<Record<ComponentStatus, StateColours>> = {
  operational: { fill: '#16935a', text: '#0e7344', tint: '#e8f6ee', darkFill: '#2fb574' },
  under_maintenance: { fill: '#3a6fe0', text: '#2953bd', tint: '#eaf0fd', darkFill: '#6b9bff' },
  degraded_performance: { fill: '#b38200', text: '#7d5900', tint: '#fcf4da', darkFill: '#f0c64a' },
  partial_outage: { fill: '#c04a08', text: '#9a3d00', tint: '#fdeddf', darkFill: '#e8762c' },
  major_outage: { fill: '#b3131b', text: '#a01219', tint: '#fdeaea', darkFill: '#f0554f' },
};

/** Of what has no state: nothing was measured, or there is nothing to show. */
export const NO_STATE: Colour = '#56606c';
