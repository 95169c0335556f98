import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import { runReactor, type Reactor } from '../../reactors/engine/loop.ts';
import type { Read } from '../../projections/readers.ts';
import type { LeaseContext, Work } from '../../reactors/engine/work.ts';
import { realPause } from '../waiting.ts';

/**
 * Creates the dependencies of reactors. The to-do list of the reactor and the clock change only if the test requests
 * this.
 */
export const createReactorHarness = (coordination: Coordination = createMemoryCoordination()) => {
  const watchers = new Set<(everything: boolean) => void>();
  /** callbacks for the moment when the list has passed a position */
  const awaited = new Set<{ position: number; callback: () => void }>();
  const logged: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const working = new Set<{ stop: AbortController; ended: Promise<void> }>();
  const office = {
    coordination,
    logged,
    /** the log lines with their fields */
    lines,
    /** position of the list if it is at the head of its log; null if it is not */
    position: 0 as number | null,
    /** position up to which the list has folded its log; null: equal to `position` */
    folded: null as number | null,
    now: Date.parse('2026-11-20T15:00:00Z'),
    /** whether the process is dead and can record nothing any more */
    dead: false,
    /** Callbacks for operator requests, which reactors register. */
    asked: new Set<() => void>(),

    todo: {
      position: () => office.position,
      folded: () => office.folded ?? office.position ?? 0,
      watch: (written: (everything: boolean) => void) => {
        watchers.add(written);
        return () => watchers.delete(written);
      },
      passed: (position: number, callback: () => void) => {
        const one = { position, callback };
        awaited.add(one);
        return () => awaited.delete(one);
      },
    },

    /** Returns the dependencies that a reactor gets with its lease. */
    shift: (): LeaseContext => ({
      checkpoint: { activated: 0, handled: 0 },
      failed: {
        pages: async function* () {
          const page = await coordination.failedItems.page('test', { after: null, limit: 1_000_000 });
          if (page.length > 0) yield page;
        },
        keep: (items) => coordination.failedItems.store('test', 1n, items),
        release: (ids) => coordination.failedItems.remove('test', 1n, ids),
      },
      clock: () => office.now,
      log: (level, message) => logged.push(`${level}: ${message}`),
      signal: new AbortController().signal,
      wake: () => undefined,
    }),

    /** Notifies the watchers of the list. */
    move: (): void => {
      for (const written of watchers) written(false);
      for (const one of awaited) {
        if (office.todo.folded() < one.position) continue;
        awaited.delete(one);
        one.callback();
      }
    },

    start: (work: Work, options: Partial<Reactor> = {}) => {
      const stop = new AbortController();
      const reactor: Reactor = {
        name: 'test',
        countsEarlier: true,
        todo: office.todo,
        work,
        ...options,
      };
      const ended = runReactor(reactor, {
        coordination: mortal(coordination, () => office.dead),
        clock: () => office.now,
        onRequest: (callback) => {
          office.asked.add(callback);
          return () => office.asked.delete(callback);
        },
        log: (level, message, fields) => {
          logged.push(`${level}: ${message}`);
          lines.push({ level, message, ...fields });
        },
        signal: stop.signal,
        timings: { retry: 1, halted: 1, spacing: 0, checkpoint: 0 },
      });
      const job = { stop, ended };
      working.add(job);
      return async (): Promise<void> => {
        working.delete(job);
        stop.abort();
        await ended;
      };
    },

    close: async (): Promise<void> => {
      for (const { stop } of working) stop.abort();
      await Promise.all([...working].map(({ ended }) => ended));
    },
  };
  return office;
};

const mortal = (coordination: Coordination, isDead: () => boolean): Coordination => {
  const alive =
    <T extends unknown[]>(write: (...parameters: T) => Promise<void>) =>
    async (...parameters: T): Promise<void> => {
      if (isDead()) throw new Error('The process was killed.');
      await write(...parameters);
    };
  const { failedItems } = coordination;
  return {
    ...coordination,
    acquire: (...parameters) => coordination.acquire(...parameters),
    failedItems: {
      ...failedItems,
      store: alive((...parameters: Parameters<typeof failedItems.store>) => failedItems.store(...parameters)),
      remove: alive((...parameters: Parameters<typeof failedItems.remove>) => failedItems.remove(...parameters)),
    },
    write: alive((...parameters: [string, string]) => coordination.write(...parameters)),
  };
};

/** Waits long enough to show that a reactor does not do what it would otherwise do immediately. */
export const shortPause = (): Promise<void> => realPause(20, 'a reactor that does nothing gives no sign');

/** A reader for reactors that must not read any read model. */
export const NO_READS: Read = () => {
  throw new Error('No read model is read here.');
};
