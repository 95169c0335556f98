import type { CheckRunCompleted } from '../domain/check-result/events.ts';
import type { ExecutionGroupStarted } from '../domain/execution-group/events.ts';
import { startedGroup, type ExecutionGroup } from '../domain/execution-group/state.ts';
import type { Instant } from '../domain/time.ts';
import type { Model } from './engine/fold/define.ts';

/**
 * The parallel runs that have not ended. Read models that fold outcomes of parallel runs have such a collection. A run
 * is deleted when it ends, so that its later events change nothing.
 */
type OpenRuns<R extends ExecutionGroup> = Pick<Model<R>, 'get' | 'put' | 'delete'>;

/** Returns the run that an event starts, or null if the run belongs to no check or is already known. */
export const beginParallelRun = (
  data: ExecutionGroupStarted,
  at: Instant,
  open: Pick<OpenRuns<ExecutionGroup>, 'get'>,
  hasEnded: (checkId: string, runId: string) => boolean,
): ExecutionGroup | null => {
  const { check_id, execution_group_id, run_id } = data;
  if (check_id === undefined || open.get(execution_group_id) || hasEnded(check_id, run_id)) return null;
  return startedGroup(data, at);
};

/**
 * Finds the open run to which a result belongs. Returns null if the run has ended already, or if it ends now because
 * the result is of an outdated definition.
 */
export const findParallelRun = <R extends ExecutionGroup>(
  { execution_group_id: id = '', outdated }: Pick<CheckRunCompleted, 'execution_group_id' | 'outdated'>,
  open: OpenRuns<R>,
): R | null => {
  const run = open.get(id);
  if (!run || outdated !== true) return run ?? null;
  open.delete(run.id);
  return null;
};

/** Stores a run that has not ended, or deletes a run that has ended. @returns whether the run has ended */
export const storeUntilEnded = <R extends ExecutionGroup>(run: R, open: OpenRuns<R>): boolean => {
  if (run.status === 'running') open.put(run);
  else open.delete(run.id);
  return run.status !== 'running';
};
