import { setTimeout as sleep } from 'node:timers/promises';
import { first } from 'rxjs';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import type { WriteReport } from '../../projections/engine/status/write-reports.ts';
import type { LogWatch } from '../../stores/event-store/port.ts';
import type { TodoProjection } from './lists.ts';

/** All in milliseconds. */
export const TODO_TIMINGS = {
  /** how long a list is polled frequently after an event that it folds */
  patience: 500,
  /** the minimum time between two such periods, so that a busy log does not keep the stores busy with polls */
  spacing: 100,
  /** the longest pause while a list has not caught up with its log */
  pause: 2_000,
};

export interface TodoOptions {
  statuses: Pick<Statuses, 'of' | 'folds' | 'watch' | 'passed' | 'onWritten'>;
  /**
   * appends to the projection's log, where another process folds it: an event that it folds triggers an immediate
   * status query. A missed event is noticed by the next periodic query. Null: this process folds the projection
   */
  appended: LogWatch | null;
  timings?: typeof TODO_TIMINGS;
}

/**
 * A projection as a to-do list.
 *
 * @param collections those that contain its items; none: all of them
 */
export const createTodoProjection = (
  projection: AnyProjection,
  collections: readonly string[],
  { statuses, appended, timings = TODO_TIMINGS }: TodoOptions,
): TodoProjection => {
  const { name } = projection;
  const concerns = ({ projection: written, collections: changed }: WriteReport): boolean =>
    written === name &&
    (changed === 'unknown' || collections.length === 0 || collections.some((collection) => changed.has(collection)));
  return {
    position: () => {
      const { state, position } = statuses.of(name);
      return state === 'live' ? Number(position) : null;
    },
    folded: () => Number(statuses.of(name).position),
    watch: (written) => {
      const ends = [
        statuses.onWritten((report) => {
          if (concerns(report)) written(report.collections === 'unknown');
        }),
        whenSwitched(statuses, name, () => {
          written(true);
        }),
        appended && hurry(projection, statuses, appended, timings),
      ];
      return () => {
        for (const end of ends) end?.();
      };
    },
    passed: (position, callback) => {
      const watching = statuses
        .watch(name)
        .pipe(first((status) => Number(status.position) >= position))
        .subscribe(callback);
      return () => {
        watching.unsubscribe();
      };
    },
  };
};

/** Calls back when a projection reaches or leaves the head of its log, or when readers switch to another generation. */
const whenSwitched = (statuses: Pick<Statuses, 'watch'>, projection: string, callback: () => void): (() => void) => {
  let last: string | null = null;
  const watching = statuses.watch(projection).subscribe(({ state, generation }) => {
    const now = `${state === 'live'} ${String(generation)}`;
    if (last !== null && now !== last) callback();
    last = now;
  });
  return () => {
    watching.unsubscribe();
  };
};

/**
 * Polls a projection frequently after each event that it folds, until it has folded the event. @returns ends the
 * polling
 */
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
    // Nothing runs between the last read of `wanted` and this.
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
