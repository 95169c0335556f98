import { setTimeout as sleep } from 'node:timers/promises';
import { first } from 'rxjs';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import type { WriteReport } from '../../projections/engine/status/write-reports.ts';
import type { LogWatch } from '../../stores/event-store/port.ts';
import type { TodoProjection } from './lists.ts';

/** All values are in milliseconds. */
export const TODO_TIMINGS = {
  /** how long the status of a list is polled frequently after the append of an event that the list folds */
  patience: 500,
  /** minimum time between the starts of two such polling periods, so that a busy log does not cause constant polling */
  spacing: 100,
  /** maximum time between two such polling periods while the list has not folded the event */
  pause: 2_000,
};

export interface TodoOptions {
  statuses: Pick<Statuses, 'of' | 'folds' | 'watch' | 'passed' | 'onWritten'>;
  /**
   * reports each event that is appended to the projection's log, if another process folds the projection. Each reported
   * event that the projection folds triggers an immediate query of its status. If a report is missed, the next periodic
   * query notices the change. Null if this process folds the projection
   */
  appended: LogWatch | null;
  timings?: typeof TODO_TIMINGS;
}

/**
 * Returns a projection as the list of a reactor.
 *
 * @param collections the collections that contain the items of the list; empty if all do
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
        appended && pollAfterEvents(projection, statuses, appended, timings),
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

/**
 * Calls back when a projection becomes live or stops being live, and when readers switch to another generation.
 * @returns a function that ends the callbacks
 */
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
 * Polls the status of a projection frequently after the append of an event, until the projection has folded the event.
 * Ignores events that the projection does not fold.
 *
 * @returns a function that ends the polling
 */
const pollAfterEvents = (
  { name }: AnyProjection,
  statuses: Pick<Statuses, 'of' | 'folds' | 'passed'>,
  appended: LogWatch,
  { patience, spacing, pause: longest }: typeof TODO_TIMINGS,
): (() => void) => {
  const over = new AbortController();
  const { signal } = over;
  let wanted = 0n;
  let polling = false;

  const poll = async (): Promise<void> => {
    for (let pause = spacing; wanted > statuses.of(name).position && !signal.aborted;) {
      const paused = sleep(pause, undefined, { signal }).catch(() => undefined);
      const passed = await statuses.passed(name, wanted, patience).then(
        () => true,
        () => false,
      );
      pause = passed ? spacing : Math.min(2 * pause, longest);
      await paused;
    }
    // No other code runs between the check of `wanted` in the loop and this line, so no event is missed.
    polling = false;
  };

  const end = appended.listen((events) => {
    const last = events.findLast(({ type }) => statuses.folds(name, type));
    if (!last) return;
    wanted = last.position;
    if (polling) return;
    polling = true;
    void poll();
  });
  return () => {
    over.abort();
    void end();
  };
};
