import type { State } from '../../views/status/state.tsx';
import type { Schemas } from '../api/openapi.d.ts';

export type Severity = Schemas['AlertRow']['severity'];

/** From most to least severe. */
export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

const STATES: Readonly<Record<Severity, State>> = {
  low: 'degraded',
  medium: 'degraded',
  high: 'partial',
  critical: 'major',
};

/** Returns the displayed state of an alert: active ones by severity, resolved ones as operational. */
export const stateOfAlert = ({ severity, status }: Pick<Schemas['AlertRow'], 'severity' | 'status'>): State =>
  status === 'resolved' ? 'operational' : STATES[severity];
