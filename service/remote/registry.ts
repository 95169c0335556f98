import type { RecordedEvent } from '../../domain/event.ts';
import type { RunnerEvent } from '../../domain/runner/events.ts';
import type { Clock } from '../../network/clock.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import { runners } from '../../projections/runners/projection.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ServingRunner } from './cut-off-regions.ts';
import { createRunnerList } from './runner-list.ts';

/** The runners according to the log, and the regions that are left to them. */
export interface RunnerRegistry {
  /** resolves when the runners are known for the first time */
  loaded: Promise<void>;
  /** returns the ids of the regions that the built-in runner does not serve */
  remoteRegions: () => ReadonlySet<string>;
  /** returns the runners that are not revoked; null: not known yet */
  serving: () => readonly ServingRunner[] | null;
  /**
   * Registers a callback for changes of regions. It is called with the id of a runner whose token was revoked, and with
   * null for any other change.
   */
  onChange: (changed: (revoked: string | null) => void) => void;
  stop: () => void;
}

export interface RegistryOptions {
  main: Pick<EventStore, 'subscribe'>;
  readers: Pick<Readers, 'asFolded'>;
  statuses: Pick<Statuses, 'of'>;
  clock: Pick<Clock, 'after'>;
  trouble: (error: unknown) => void;
}

/** Number of runners that are read in one page. */
const PAGE = 1_000;
/** Milliseconds to wait after a failure before the log is followed again. */
const RETRY_MS = 1_000;

/**
 * Follows the runners in the log, beginning with their read model. If the read model can't be read, the attempt is
 * repeated.
 */
export const followRegistry = (options: RegistryOptions): RunnerRegistry => {
  const { main, readers, statuses, clock, trouble } = options;
  const list = createRunnerList();
  const callbacks: ((revoked: string | null) => void)[] = [];
  const stopping = new AbortController();
  const pause = (): Promise<void> => new Promise((resolve) => clock.after(RETRY_MS, resolve));

  const load = async (): Promise<bigint> => {
    const { position } = statuses.of(runners.name);
    const model = readers.asFolded(runners).runners;
    for (let last: string | null = null; ;) {
      const where = last === null ? {} : { id: { $gt: last } };
      const page = await model.find({ where, sort: { id: 1 }, limit: PAGE });
      for (const document of page) list.add(document);
      last = page.at(-1)?.id ?? null;
      if (page.length < PAGE) return position;
    }
  };
  const loadSurely = async (): Promise<bigint> => {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        if (stopping.signal.aborted) return 0n;
        trouble(error);
        await pause();
      }
    }
  };

  const apply = (event: RunnerEvent & RecordedEvent): void => {
    if (!list.apply(event)) return;
    const revoked = event.type === 'RunnerRevoked' ? event.data.runner_id : null;
    for (const changed of callbacks) changed(revoked);
  };
  const follow = async (from: bigint): Promise<void> => {
    let after = from;
    const { signal } = stopping;
    while (!signal.aborted) {
      try {
        for await (const events of main.subscribe({ after, categories: ['runner'], signal }))
          for (const event of events) {
            apply(event as RunnerEvent & RecordedEvent);
            after = event.position;
          }
      } catch (error) {
        trouble(error);
        await pause();
      }
    }
  };

  let isLoaded = false;
  const loaded = loadSurely().then((position) => {
    isLoaded = !stopping.signal.aborted;
    void follow(position);
  });

  return {
    loaded,
    remoteRegions: list.remoteRegions,
    serving: () => (isLoaded ? list.serving() : null),
    onChange: (changed) => {
      callbacks.push(changed);
    },
    stop: () => {
      stopping.abort();
    },
  };
};
