import type { State } from '../../../../views/status/state.tsx';
import type { Result } from '../source.ts';

const STATES: Readonly<Record<Result['status'], State>> = {
  ok: 'operational',
  failed: 'major',
  down: 'major',
  error: 'major',
};

/**
 * Returns the state whose style a result is shown in. A suspect result says nothing about the target, because the
 * runner's own network seems to have been down. It is therefore shown as `none`.
 */
export const stateOfResult = ({ status, suspect }: Pick<Result, 'status' | 'suspect'>): State =>
  suspect ? 'none' : STATES[status];
