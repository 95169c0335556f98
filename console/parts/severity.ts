import type { State } from '../../views/status/state.tsx';
import type { Schemas } from '../api/openapi.d.ts';

export type Severity = Schemas['AlertRow']['severity'];

/** From the most severe to the least severe one. */
export const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

const STATES: Readonly<Record<Severity, State>> = {
  low: 'degraded',
  medium: 'degraded',
  high: 'partial',
  critical: 'major',
};

/** How an alert is drawn: active ones by their severity, resolved ones as over. */
export const stateOfAlert = ({ severity, status }: Pick<Schemas['AlertRow'], 'severity' | 'status'>): State =>
  status === 'resolved' ? 'operational' : STATES[severity];
