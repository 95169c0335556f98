import { randomUUID } from 'node:crypto';
import { filter, firstValueFrom } from 'rxjs';
import { retainedFrom, type Retention } from '../../../domain/retention.ts';
import { instantOf } from '../../../domain/time.ts';
import type { AnyProjection } from '../../../projections/engine/fold/define.ts';
import { markLog } from '../../../projections/engine/feed/log-marks.ts';
import type { EngineTimings } from '../../../projections/engine/options.ts';
import type { EngineLogLine, ProjectionStatus } from '../../../projections/engine/status/protocol.ts';
import { createReaders, type Readers } from '../../../projections/engine/readers.ts';
import { runEngine } from '../../../projections/engine/run.ts';
import { createStatuses, type Statuses } from '../../../projections/engine/status/statuses.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { RETENTION, type Coordination } from '../../../stores/coordination/port.ts';
import { openLogIdentity } from '../../../stores/event-store/identity.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import type { ReadStore, WriterLease } from '../../../stores/read-store/port.ts';
import { recorded, type Fact } from '../history.ts';

export interface Stores {
  main: EventStore;
  results: EventStore;
  readStore: ReadStore;
  coordination: Coordination;
}

export const memoryStores = (): Stores => ({
  main: createMemoryEventStore('main'),
  results: createMemoryEventStore('results'),
  readStore: createMemoryReadStore(),
  coordination: createMemoryCoordination(),
});

export interface RunningEngine {
  statuses: Statuses;
  readers: Readers;
  logged: EngineLogLine[];
  /** Waits until a projection has passed a position, whatever the state of the projection. */
  reached: (name: string, position: bigint) => Promise<void>;
  stop: () => Promise<void>;
}

/** 20 November 2026, 15:00 UTC */
export const NOW = Date.parse('2026-11-20T15:00:00Z');

/** A lease of `counters` with a higher token than the lease of any engine in a test. */
export const LATER_LEASE: WriterLease = { name: 'projection:counters@1', token: 1_000n };

const running = new Set<RunningEngine>();

/** Stops the engines that a test has left running. */
export const stopEngines = async (): Promise<void> => {
  await Promise.all([...running].map((engine) => engine.stop()));
};

/** Starts an engine in this thread, as a service does. */
export const startEngine = async (
  stores: Stores,
  projections: readonly AnyProjection[],
  timings: Partial<EngineTimings> = {},
  { positionsFollowed = false, clock }: { positionsFollowed?: boolean; clock?: () => number } = {},
): Promise<RunningEngine> => {
  const { main, results, readStore, coordination } = stores;
  for (const store of [main, results]) await openLogIdentity(store, () => NOW);
  const marks = { main: await markLog(main, NOW), results: await markLog(results, NOW) };
  const retention: Retention = { from: retainedFrom(NOW, 183), wanted: null, moved_at: instantOf(NOW) };
  await coordination.write(RETENTION, JSON.stringify(retention));
  const statuses = createStatuses(projections);
  const logged: EngineLogLine[] = [];
  const stop = new AbortController();
  const ended = runEngine({
    projections,
    stores,
    marks,
    readStore,
    coordination,
    onStatus: statuses.receive,
    demand: statuses.written.demand,
    positionsFollowed,
    ...(clock && { clock }),
    log: (line) => logged.push(line),
    signal: stop.signal,
    timings: { switchPoll: 5, switchIdle: 5, damaged: 10, builderSilence: 20, retry: 1, ...timings },
  });
  const engine: RunningEngine = {
    statuses,
    readers: createReaders({ readStore, statuses, coordination, timeout: 2_000 }),
    logged,
    reached: async (name, position) => {
      await until(statuses, name, (status) => status.position >= position);
    },
    stop: async () => {
      running.delete(engine);
      stop.abort();
      await ended;
    },
  };
  running.add(engine);
  return engine;
};

/** Appends facts to a log, 500 at a time, and returns the position of the last. */
export const append = async (store: EventStore, ...facts: Fact[]): Promise<bigint> => {
  let position = 0n;
  const events = recorded(facts);
  while (events.length > 0) {
    const stream = events[0]?.stream ?? '';
    const other = events.findIndex((event, index) => event.stream !== stream || index === 500);
    const together = events.splice(0, other === -1 ? events.length : other);
    const fresh = together.map(({ type, data, metadata }) => ({ id: randomUUID(), type, data, metadata }));
    position = (await store.append(stream, fresh, 'any')).position;
  }
  return position;
};

/** Waits until a projection's status satisfies a condition. */
export const until = (
  statuses: Statuses,
  name: string,
  wanted: (status: ProjectionStatus) => boolean,
): Promise<ProjectionStatus> => firstValueFrom(statuses.watch(name).pipe(filter(wanted)));
