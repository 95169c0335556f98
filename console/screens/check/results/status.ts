import type { State } from '../../../../views/status/state.tsx';
import type { Result } from '../source.ts';

const STATES: Readonly<Record<Result['status'], State>> = {
  ok: 'operational',
  failed: 'major',
  down: 'major',
  error: 'major',
};

/** How a result is drawn; one from a runner without a network says nothing of its target. */
export const stateOfResult = ({ status, suspect }: Pick<Result, 'status' | 'suspect'>): State =>
  suspect ? 'none' : STATES[status];
