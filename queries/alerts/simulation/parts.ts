import { regionCountOf } from '../../../domain/check/multi-region.ts';
import type { Pause } from '../../../domain/concurrency/time-slices.ts';
import { DAY_MS, HOUR_MS, later, SECOND_MS, type Instant } from '../../../domain/time.ts';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import type { CheckSimulation } from './check-simulation.ts';
import type { StoredResults, TimedEvent } from './stored-results.ts';

export interface SimulationPeriod {
  from: Instant;
  /** exclusive */
  to: Instant;
}

/** Limits of one simulation (docs/reference/alert-rules.md#limits-of-a-simulation). */
export interface SimulationLimits {
  results: number;
  alerts: number;
  checks: number;
}

/** Number of results that are read at a time, approximately. */
const PART = 20_000;
const LONGEST_PART_MS = 31 * DAY_MS;

/** A check in a simulation. */
export interface Runner {
  check: CheckDocument;
  simulation: CheckSimulation;
  results: StoredResults;
}

export interface Playing {
  limits: SimulationLimits;
  pause: Pause;
  signal?: AbortSignal | undefined;
}

/** The number of results that were read. */
export const countOf = (runners: readonly Runner[]): number =>
  runners.reduce((sum, { results }) => sum + results.count, 0);

/**
 * Returns the length of the parts in which results are read, in milliseconds. It depends on the intervals of the
 * checks.
 */
const partLength = (runners: readonly Runner[]): number => {
  const perMs = runners.reduce(
    (sum, { check: { interval, parameters } }) => sum + regionCountOf(parameters) / (interval * SECOND_MS),
    0,
  );
  return Math.min(LONGEST_PART_MS, Math.max(HOUR_MS, Math.round(PART / perMs)));
};

/**
 * Plays the results of all checks part by part, so that a simulation that reaches a limit is complete up to a time.
 *
 * @returns `end`: the time up to which the results were played
 * @throws the reason of the signal
 */
export const playAll = async (
  runners: readonly Runner[],
  period: SimulationPeriod,
  { limits, pause, signal }: Playing,
): Promise<{ end: Instant; isComplete: boolean }> => {
  const isFull = (): boolean =>
    countOf(runners) > limits.results ||
    runners.reduce((sum, { simulation }) => sum + simulation.alertCount, 0) > limits.alerts;
  let end = period.from;
  for await (const { simulation, events, reached } of readAhead(partsOf(runners, period))) {
    signal?.throwIfAborted();
    if (isFull()) return { end, isComplete: false };
    await simulation.play(events, pause);
    simulation.end(reached);
    end = reached;
  }
  return { end, isComplete: true };
};

/** The results of a check up to a time, from the end of the previous part on. */
interface Part {
  simulation: CheckSimulation;
  events: Iterable<TimedEvent>;
  reached: Instant;
}

async function* partsOf(runners: readonly Runner[], { from, to }: SimulationPeriod): AsyncGenerator<Part> {
  const length = partLength(runners);
  for (let end = from; end < to;) {
    const until = later(end, length);
    end = until < to ? until : to;
    for (const { simulation, results } of runners) {
      while (results.reached < end) {
        const events = await results.before(end);
        yield { simulation, events, reached: results.reached };
      }
    }
  }
}

/** Reads each part while the previous part is played. */
async function* readAhead<T>(parts: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = parts.next();
  try {
    for (;;) {
      const part = await next;
      if (part.done === true) return;
      next = parts.next();
      // A failure is reported when the part is needed.
      next.catch(() => undefined);
      yield part.value;
    }
  } finally {
    await parts.return(undefined).catch(() => undefined);
  }
}
