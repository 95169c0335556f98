import type { ComponentStatus } from '../domain/page/component-status.ts';
import type { Colour } from './colours.ts';

/** How a state is coloured on a light background. */
export interface StateColours {
  /** of marks and bars: at least 3:1 on white and on `tint` (WCAG 2.2, 1.4.11) */
  fill: Colour;
  /** of text: at least 4.5:1 on white and on `tint`, and white on it likewise (WCAG 2.2, 1.4.3) */
  text: Colour;
  tint: Colour;
}

/** The colours of states in pictures, which can't follow the colour scheme of their viewer. */
export const STATE_COLOURS: Readonly<Record<ComponentStatus, StateColours>> = {
  operational: { fill: '#16935a', text: '#0e7344', tint: '#e8f6ee' },
  under_maintenance: { fill: '#3a6fe0', text: '#2953bd', tint: '#eaf0fd' },
  degraded_performance: { fill: '#b38200', text: '#7d5900', tint: '#fcf4da' },
  partial_outage: { fill: '#c04a08', text: '#9a3d00', tint: '#fdeddf' },
  major_outage: { fill: '#b3131b', text: '#a01219', tint: '#fdeaea' },
};

/** Of what has no state: nothing was measured, or there is nothing to show. */
export const NO_STATE: Colour = '#56606c';
