import type { State } from '../../views/status/state.tsx';
import type { Schemas } from '../api/openapi.d.ts';

export type Severity = Schemas['AlertRow']['severity'];

/** All severities, from most to least severe. */
export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

const STATES: Readonly<Record<Severity, State>> = {
  low: 'degraded',
  medium: 'degraded',
  high: 'partial',
  critical: 'major',
};

/**
 * Returns the state in whose style an alert is shown: a state derived from the severity of an active alert, or
 * `operational` for a resolved alert.
 */
export const stateOfAlert = ({ severity, status }: Pick<Schemas['AlertRow'], 'severity' | 'status'>): State =>
  status === 'resolved' ? 'operational' : STATES[severity];
