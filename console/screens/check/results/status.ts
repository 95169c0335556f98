import type { State } from '../../../../views/status/state.tsx';
import type { Result } from '../source.ts';

const STATES: Readonly<Record<Result['status'], State>> = {
  ok: 'operational',
  failed: 'major',
  down: 'major',
  error: 'major',
};

/** Returns the displayed state of a result; a result from a runner without a network is inconclusive. */
export const stateOfResult = ({ status, suspect }: Pick<Result, 'status' | 'suspect'>): State =>
  suspect ? 'none' : STATES[status];
