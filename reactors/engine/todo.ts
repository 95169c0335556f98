import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { ProjectionStatus } from '../../projections/engine/status/protocol.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import type { LogWatch } from '../../stores/event-store/port.ts';
import type { TodoProjection } from './lists.ts';

/** All in milliseconds. */
export const TODO_TIMINGS = {
  /** how long a list is polled often after an event that it folds */
  patience: 500,
  /** the least time between two such periods: a constantly busy log must not keep the stores busy with polls */
  spacing: 100,
  /** the longest pause while a list has not caught up with its log */
  pause: 2_000,
};

/**
 * A projection as a to-do list.
 *
 * @param appended appends to its log, where another process folds it: after an event that it folds, the list is
 *   asked for at once. If one is missed, the next look at its status shows the change.
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
        // The stores' answer is passed on even if it has not changed.
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

/** Polls a projection often after each event that it folds, until it has folded it. @returns ends it */
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
    // Nothing runs between the last look at `wanted` and this.
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
