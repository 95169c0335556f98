import type { JSX } from 'preact';
import type { IncidentImpact } from '../../domain/incident/statuses.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { StatusIndicator } from '../../messages/status-indicator.ts';

/**
 * The state of something that pages show. Each state has a colour, a shape and a word, because not everybody can
 * distinguish the colours.
 */
export type State = 'operational' | 'maintenance' | 'degraded' | 'partial' | 'major' | 'none';

const OF_COMPONENTS: Readonly<Record<ComponentStatus, State>> = {
  operational: 'operational',
  under_maintenance: 'maintenance',
  degraded_performance: 'degraded',
  partial_outage: 'partial',
  major_outage: 'major',
};
const OF_INDICATORS: Readonly<Record<StatusIndicator, State>> = {
  none: 'operational',
  maintenance: 'maintenance',
  minor: 'degraded',
  major: 'partial',
  critical: 'major',
};
const OF_IMPACTS: Readonly<Record<IncidentImpact, State>> = OF_INDICATORS;

const STATUSES = Object.keys(OF_COMPONENTS) as ComponentStatus[];

/** Returns the status of a state, or null if the state is "no data". */
export const statusOfState = (state: State): ComponentStatus | null =>
  STATUSES.find((status) => OF_COMPONENTS[status] === state) ?? null;

export const stateOfComponent = (status: ComponentStatus): State => OF_COMPONENTS[status];
export const stateOfIndicator = (indicator: StatusIndicator): State => OF_INDICATORS[indicator];
export const stateOfImpact = (impact: IncidentImpact): State => OF_IMPACTS[impact];

/** The shape of a state. It is decorative, because the word for the state is shown next to it. */
export const StateIcon = ({ state }: { state: State }): JSX.Element => (
  <svg class={`icon state-${state}`} aria-hidden="true">
    <use href={`#i-${state}`} />
  </svg>
);

/** A state with its shape and its word. */
export const StatePill = ({ state, label }: { state: State; label: string }): JSX.Element => (
  <span class={`pill state-${state}`}>
    <svg class="icon" aria-hidden="true">
      <use href={`#i-${state}`} />
    </svg>
    {label}
  </span>
);

/** The shapes to which {@link StateIcon} refers. Each page must contain them once. */
export const StateShapes = (): JSX.Element => (
  <svg class="shapes" width="0" height="0" aria-hidden="true">
    <symbol id="i-operational" viewBox="0 0 20 20">
      <circle cx="10" cy="10" r="9" />
      <path class="cut" d="M5.8 10.4l2.9 2.9 5.6-6" />
    </symbol>
    <symbol id="i-maintenance" viewBox="0 0 20 20">
      <circle cx="10" cy="10" r="9" />
      <path class="cut" d="M13.9 6.1a3 3 0 0 0-3.8 3.8l-4 4 1.3 1.3 4-4a3 3 0 0 0 3.8-3.8l-1.7 1.7-1.6-1.3z" />
    </symbol>
    <symbol id="i-degraded" viewBox="0 0 20 20">
      <circle cx="10" cy="10" r="9" />
      <path class="cut" d="M5.5 10h9" />
    </symbol>
    <symbol id="i-partial" viewBox="0 0 20 20">
      <path d="M10 1.2l9.3 16.6H.7z" />
      <path class="cut" d="M10 7v5M10 14.6v.2" />
    </symbol>
    <symbol id="i-major" viewBox="0 0 20 20">
      <path d="M6.3 1h7.4L19 6.3v7.4L13.7 19H6.3L1 13.7V6.3z" />
      <path class="cut" d="M6.8 6.8l6.4 6.4M13.2 6.8l-6.4 6.4" />
    </symbol>
    <symbol id="i-none" viewBox="0 0 20 20">
      <circle class="hollow" cx="10" cy="10" r="8" />
    </symbol>
  </svg>
);
