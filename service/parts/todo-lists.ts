import { setTimeout as sleep } from 'node:timers/promises';
import type { TodoProjection } from '../../reactors/engine/lists.ts';
import { catalogue } from '../../domain/catalogue.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { ProjectionStatus } from '../../projections/engine/status/protocol.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { checkResults } from '../../projections/check-results/projection.ts';
import { checkVerdicts } from '../../projections/check-verdicts/projection.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { executionGroups } from '../../projections/execution-groups/projection.ts';
import { jobOutcomes } from '../../projections/job-outcomes/projection.ts';
import { jobs } from '../../projections/jobs/projection.ts';
import type { LogWatch } from './log-watch.ts';

/** The read models that hold the to-do lists of reactors. */
export const TODO_PROJECTIONS: readonly AnyProjection[] = [
  checkVerdicts,
  executionGroups,
  jobs,
  jobOutcomes,
  checkResults,
  deliveries,
];

/** Categories of the streams of a log whose events can put something on a to-do list. */
export const todoCategories = (log: 'main' | 'results'): string[] => {
  const own = TODO_PROJECTIONS.filter((projection) => projection.log === log);
  const types = own.flatMap(({ on }) => Object.keys(on));
  return Object.entries(catalogue)
    .filter(([, events]) => types.some((type) => type in events))
    .map(([category]) => category);
};

/** All in milliseconds. */
export const TODO_TIMINGS = {
  /** how long a list is asked for often after an event that it folds */
  patience: 500,
  /** between two such times at least: a log that is busy all the time does not keep the stores busy with looks */
  spacing: 100,
  /** the longest pause while a list does not come to where its log is */
  pause: 2_000,
};

/**
 * A projection as the list of what is to be done.
 *
 * @param appended what is appended to its log, where another process folds it: after an event that it folds the
 *   list is asked for at once. Who misses one sees the list move all the same, with the next look at its status.
 */
export const todoOf = (
  projection: AnyProjection,
  statuses: Pick<Statuses, 'of' | 'folds' | 'watch' | 'passed'>,
  appended: LogWatch | null,
  timings = TODO_TIMINGS,
): TodoProjection => {
  const { name } = projection;
  return {
    position: () => {
      const { state, position } = statuses.of(name);
      return state === 'live' ? Number(position) : null;
    },
    folded: () => Number(statuses.of(name).position),
    watch: (moved) => {
      let last: ProjectionStatus | null = null;
      const watching = statuses.watch(name).subscribe((status) => {
        // Who asks the stores says what they say also where it is what they have said before.
        if (last && isSame(last, status)) return;
        last = status;
        moved();
      });
      const end = appended && hurry(projection, statuses, appended, timings);
      return () => {
        watching.unsubscribe();
        end?.();
      };
    },
  };
};

const isSame = (one: ProjectionStatus, other: ProjectionStatus): boolean =>
  one.position === other.position && one.state === other.state && one.generation === other.generation;

/** Lets a projection be asked for often after each event that it folds, until it has. @returns ends it */
const hurry = (
  { name }: AnyProjection,
  statuses: Pick<Statuses, 'of' | 'folds' | 'passed'>,
  appended: LogWatch,
  { patience, spacing, pause: longest }: typeof TODO_TIMINGS,
): (() => void) => {
  const over = new AbortController();
  const { signal } = over;
  let wanted = 0n;
  let hurrying = false;

  const ask = async (): Promise<void> => {
    for (let pause = spacing; wanted > statuses.of(name).position && !signal.aborted;) {
      const paused = sleep(pause, undefined, { signal }).catch(() => undefined);
      const passed = await statuses.passed(name, wanted, patience).then(
        () => true,
        () => false,
      );
      pause = passed ? spacing : Math.min(2 * pause, longest);
      await paused;
    }
    // Nothing comes between the last look at what is wanted and this.
    hurrying = false;
  };

  const end = appended.listen((events) => {
    const last = events.findLast(({ type }) => statuses.folds(name, type));
    if (!last) return;
    wanted = last.position;
    if (hurrying) return;
    hurrying = true;
    void ask();
  });
  return () => {
    over.abort();
    void end();
  };
};
