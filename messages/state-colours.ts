import type { ComponentStatus } from '../domain/page/component-status.ts';
import type { Colour } from './colours.ts';

/** The colours of a state, on a light background unless noted otherwise. */
export interface StateColours {
  /** colour of marks and bars; has a contrast of at least 3:1 with white and with `tint` (WCAG 2.2, 1.4.11) */
  fill: Colour;
  /**
   * colour of text, and background of white text; has a contrast of at least 4.5:1 with white and with `tint` (WCAG
   * 2.2, 1.4.3)
   */
  text: Colour;
  tint: Colour;
  /** colour of marks and bars on a dark background; its contrast with this background is at least 3:1 */
  darkFill: Colour;
}

/** The colours of states in places without our stylesheet: in pictures and on other sites. */
export const STATE_COLOURS: Readonly<Record<ComponentStatus, StateColours>> = {
  operational: { fill: '#16935a', text: '#0e7344', tint: '#e8f6ee', darkFill: '#2fb574' },
  under_maintenance: { fill: '#3a6fe0', text: '#2953bd', tint: '#eaf0fd', darkFill: '#6b9bff' },
  degraded_performance: { fill: '#b38200', text: '#7d5900', tint: '#fcf4da', darkFill: '#f0c64a' },
  partial_outage: { fill: '#c04a08', text: '#9a3d00', tint: '#fdeddf', darkFill: '#e8762c' },
  major_outage: { fill: '#b3131b', text: '#a01219', tint: '#fdeaea', darkFill: '#f0554f' },
};

/** The colour of anything without a state, for example if nothing was measured. */
export const NO_STATE: Colour = '#56606c';
