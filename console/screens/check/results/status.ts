import type { State } from '../../../../views/status/state.tsx';
import type { Result } from '../source.ts';

const STATES: Readonly<Record<Result['status'], State>> = {
  ok: 'operational',
  failed: 'major',
  down: 'major',
  error: 'major',
};

/**
 * Returns the state in whose style a result is shown. A suspect result has no state, because the runner's own network
 * seems to have been down.
 */
export const stateOfResult = ({ status, suspect }: Pick<Result, 'status' | 'suspect'>): State =>
  suspect ? 'none' : STATES[status];
