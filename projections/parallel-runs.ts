import type { CheckRunCompleted } from '../domain/check-result/events.ts';
import type { ExecutionGroupStarted } from '../domain/execution-group/events.ts';
import { startedGroup, type ExecutionGroup } from '../domain/execution-group/state.ts';
import type { Instant } from '../domain/time.ts';
import type { Model } from './engine/fold/define.ts';

/**
 * The parallel runs of checks that have not ended, for read models of their outcomes. An ended run is deleted, so that
 * later events of it change nothing.
 */
type OpenRuns<R extends ExecutionGroup> = Pick<Model<R>, 'get' | 'put' | 'delete'>;

/**
 * The run that starts; null: it belongs to no check, or is already known. @param storeUntilEnded checks for duplicates of its
 * start
 */
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

/** The run that a result belongs to; null: it has ended, for example with a result of an outdated definition. */
export const findParallelRun = <R extends ExecutionGroup>(
  { execution_group_id: id = '', outdated }: Pick<CheckRunCompleted, 'execution_group_id' | 'outdated'>,
  open: OpenRuns<R>,
): R | null => {
  const run = open.get(id);
  if (!run || outdated !== true) return run ?? null;
  open.delete(run.id);
  return null;
};

/** Stores a run until it has ended. @returns whether it has */
export const storeUntilEnded = <R extends ExecutionGroup>(run: R, open: OpenRuns<R>): boolean => {
  if (run.status === 'running') open.put(run);
  else open.delete(run.id);
  return run.status !== 'running';
};
