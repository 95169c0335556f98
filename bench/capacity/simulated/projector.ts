import { millisecondsOf } from '../../../domain/time.ts';
import type { Clock } from '../../../network/clock.ts';
import { projectionKey } from '../../../projections/engine/fold/define.ts';
import { Folding } from '../../../projections/engine/fold/folding.ts';
import { LogFeed } from '../../../projections/engine/feed/log-feed.ts';
import { checkActivity } from '../../../projections/check-activity/projection.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { createPositionsOnly } from './positions-only.ts';
import type { ResultsLog } from './results-log.ts';

export interface SimulatedProjector {
  /** returns the stored position */
  position: () => bigint;
  /**
   * Returns the lag of each result that was folded since the previous call: the milliseconds from recording the result
   * until its position is stored.
   */
  takeLags: () => number[];
}

export interface ProjectorOptions {
  log: ResultsLog;
  clock: Clock;
  signal: AbortSignal;
  /** simulates the CPU time of a page of events */
  work: (events: number) => Promise<void>;
}

/** Folds the results of a log in the same way as the projection engine: page by page, with one commit per page. */
export const startProjector = async ({ log, clock, signal, work }: ProjectorOptions): Promise<SimulatedProjector> => {
  const { readStore, stored } = createPositionsOnly();
  const folding = new Folding({
    projection: checkActivity,
    generation: { projection: projectionKey(checkActivity), number: 1 },
    readStore,
    checkpoint: { log_id: 'simulated', position: 0n, event_id: null },
    retainedFrom: null,
    recentDocuments: 1_000,
  });
  const feed = new LogFeed({
    store: log as unknown as EventStore,
    mark: 0n,
    retry: 0,
    signal,
    log: ({ message, cause }) => {
      throw new Error(message, { cause });
    },
  });
  let lags: number[] = [];

  const follow = async (): Promise<void> => {
    for (;;) {
      const page = await feed.after(folding.position, { wait: true, signal });
      if (!page) return;
      await work(page.events.length);
      await folding.fold(page.events);
      await folding.commit();
      const now = clock.now();
      for (const { metadata } of page.events) lags.push(now - millisecondsOf(metadata.recorded_at));
    }
  };
  void follow();
  return {
    position: stored,
    takeLags: () => {
      const taken = lags;
      lags = [];
      return taken;
    },
  };
};
