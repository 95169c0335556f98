import type { JSX } from 'preact';
import type { ComponentStatus } from '../../domain/page/component-status.ts';

/** Outlines of the marks, as SVG paths in a square of 24 by 24 units. */
const OUTLINES: Readonly<Record<ComponentStatus, string>> = {
  operational: 'M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22z',
  under_maintenance: 'M5 1h14a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4V5a4 4 0 0 1 4-4z',
  degraded_performance: 'M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22z',
  partial_outage: 'M12 1.5 23.5 22.5H.5z',
  major_outage: 'M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z',
};

/** Signs inside the marks, as SVG paths: a tick, a wrench, a dash, an exclamation mark, and a cross. */
const SIGNS: Readonly<Record<ComponentStatus, string>> = {
  operational: 'M7 12.5l3.5 3.5L17 8.5',
  under_maintenance: 'M6.5 17.5l7-7M13.5 10.5a3.5 3.5 0 0 1 4-4.5l-2 2 .5 2 2 .5 2-2a3.5 3.5 0 0 1-4.5 4',
  degraded_performance: 'M7 12h10',
  partial_outage: 'M12 9v6M12 18.5v.1',
  major_outage: 'M8 8l8 8M16 8l-8 8',
};

/**
 * The mark of a state, in a square of 24 by 24 units. Each state has a different shape, so that marks can be
 * distinguished without colour.
 */
export const Mark = ({ state, fill, sign }: { state: ComponentStatus; fill: string; sign: string }): JSX.Element => (
  <g>
    <path d={OUTLINES[state]} fill={fill} />
    <path
      d={SIGNS[state]}
      fill="none"
      stroke={sign}
      stroke-width="2.4"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </g>
);
