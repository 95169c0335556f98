import { setImmediate as breathe } from 'node:timers/promises';
import type { Coordination, Lease } from '../../../stores/coordination/port.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { StaleWriter, type Generation, type ReadStore } from '../../../stores/read-store/port.ts';
import { compareGenerations, type Comparison } from './compare.ts';
import { projectionKey, type AnyProjection } from '../fold/define.ts';
import { Folding } from '../fold/folding.ts';
import { readCheckpointOf, liveGeneration, makeGeneration, nextGeneration } from './generations.ts';
import { switchReaders } from './switch-readers.ts';
import { sendBuildHeartbeats } from './orphans.ts';
import { readLogId, markLog } from '../feed/log-marks.ts';
import { retainedFrom, readFirstShownInstant } from '../fold/retention.ts';

export interface RebuildOptions {
  projection: AnyProjection;
  /**
   * The log of the projection. The rebuild appends marker events (`markLog`), to find out when the generation has
   * caught up.
   */
  store: EventStore;
  readStore: ReadStore;
  coordination: Coordination;
  /** Returns milliseconds since 1970. */
  clock: () => number;
  /**
   * Prevents engines from starting until the returned function is called. Resolves to null if an engine is already
   * running; the rebuild then requests the switch of readers from this engine. In an embedded deployment,
   * `service.lock` prevents engines from starting.
   */
  keepEngineOut: () => Promise<(() => Promise<void>) | null>;
  /** Whether to compare the new generation with the live one before the switch. */
  verify?: boolean;
  onProgress?: (progress: RebuildProgress) => void;
  /** Interrupts the rebuild. The previous generation stays in use. */
  signal: AbortSignal;
}

export interface RebuildProgress {
  step: 'folding' | 'indexing' | 'comparing' | 'switching';
  /** Number of events that were read so far. */
  events: number;
  position: bigint;
  /** Position up to which events must be folded. The position increases if events are appended during the rebuild. */
  target: bigint;
}

export interface Rebuilt {
  generation: number;
  events: number;
  /** Null if no comparison was requested, or there was no live generation. */
  comparison: Comparison | null;
  /** number of documents set aside */
  set_aside: number;
}

const PAGE = 1_000;
const EVENTS_PER_COMMIT = 3_000;

/** Maximum number of documents of each collection that stay in memory between commits. */
const RECENT_DOCUMENTS = 10_000;

/**
 * Builds the next generation of a projection in the calling process, and switches readers to it. The live generation
 * stays in use until the switch, even if the rebuild is interrupted.
 *
 * @throws PoisonousEvent
 * @throws Error if the engine refused the new generation; the message says why
 */
export const rebuild = async (options: RebuildOptions): Promise<Rebuilt> => {
  const { projection, coordination, signal } = options;
  const lease = await coordination.acquire(`rebuild:${projectionKey(projection)}`, signal);
  try {
    return await rebuildUnder(lease, options);
  } finally {
    await lease.release();
  }
};

const rebuildUnder = async (lease: Lease, options: RebuildOptions): Promise<Rebuilt> => {
  const { projection, store, readStore, coordination, signal } = options;
  const ended = AbortSignal.any([signal, lease.lost]);
  const generation = await nextGeneration(projection, { readStore, coordination, lease });
  const endBuilding = await sendBuildHeartbeats(coordination, generation);
  let mayDrop = true;
  try {
    await makeGeneration(readStore, generation, projection, lease);
    const folding = new Folding({
      projection,
      generation,
      readStore,
      checkpoint: { log_id: await readLogId(store), position: 0n, event_id: null },
      retainedFrom: await readFirstShownInstant(projection, coordination),
      recentDocuments: RECENT_DOCUMENTS,
      setsAside: true,
    });
    const build = new Build(folding, { ...options, signal: ended });
    const live = options.verify ? await liveGeneration(coordination, projection) : null;
    const liveCheckpoint = live && (await readCheckpointOf(readStore, live));
    // For the comparison, both generations must be at the same position, so the new one must not get ahead of the live
    // one.
    if (liveCheckpoint) await build.to(liveCheckpoint.position);
    else await build.toMark();
    build.report('indexing');
    await readStore.buildIndexes(generation);
    let comparison: Comparison | null = null;
    if (live && liveCheckpoint) {
      build.report('comparing');
      comparison = await compareGenerations({
        projection,
        readStore,
        live,
        rebuilt: generation,
        advance: (position) => build.to(position),
        retainedFrom: await retainedFrom(coordination),
        signal: ended,
      });
    }
    await build.toMark();
    build.report('switching');
    ended.throwIfAborted();
    await switchReaders(generation, {
      ...options,
      signal: ended,
      catchUp: () => build.toMark(),
      onRequested: () => {
        mayDrop = false;
      },
      onRefused: () => {
        mayDrop = true;
      },
    });
    mayDrop = false;
    return { generation: generation.number, events: build.events, comparison, set_aside: folding.setAside };
  } finally {
    await endBuilding();
    if (mayDrop) await dropBuilt(readStore, generation, lease);
  }
};

/**
 * Drops a generation that will not be used. If another process is responsible for the generation now, the store refuses
 * to drop it.
 */
const dropBuilt = async (readStore: ReadStore, generation: Generation, lease: Lease): Promise<void> => {
  try {
    await readStore.drop(generation, lease);
  } catch (error) {
    if (!(error instanceof StaleWriter)) throw error;
  }
};

/** A generation that is being built. */
class Build {
  events = 0;
  readonly #folding: Folding;
  readonly #options: RebuildOptions;
  #target = 0n;

  constructor(folding: Folding, options: RebuildOptions) {
    this.#folding = folding;
    this.#options = options;
  }

  /** Folds all events that are in the log at the time of the call. */
  async toMark(): Promise<void> {
    await this.to(await markLog(this.#options.store, this.#options.clock()));
  }

  /** Folds exactly up to a position, and commits. */
  async to(target: bigint): Promise<void> {
    const { store, signal } = this.#options;
    const folding = this.#folding;
    if (target > this.#target) this.#target = target;
    while (folding.position < target) {
      signal.throwIfAborted();
      const page = await store.readAll({ after: folding.position, limit: PAGE });
      const events =
        (page.at(-1)?.position ?? target) <= target ? page : page.filter((event) => event.position <= target);
      if (events.length === 0) break;
      await folding.fold(events);
      this.events += events.length;
      if (folding.uncommitted >= EVENTS_PER_COMMIT) await folding.commit();
      this.report('folding');
      // Let timers and signal handlers run.
      await breathe();
    }
    if (folding.isAheadOfStore || folding.dirty) await folding.commit();
  }

  report(step: RebuildProgress['step']): void {
    this.#options.onProgress?.({
      step,
      events: this.events,
      position: this.#folding.position,
      target: this.#target,
    });
  }
}
