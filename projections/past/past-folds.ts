import { LRUCache } from 'lru-cache';
import { sharedTimeSlices, type Pause } from '../../domain/concurrency/time-slices.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Checkpoint, ForkableReadStore, Generation } from '../../stores/read-store/port.ts';
import { projectionKey, type AnyProjection } from '../engine/fold/define.ts';
import { foldInMemory, inSteps } from '../engine/in-memory.ts';
import type { PastEvents } from './past-events.ts';

/** A projection folded from the first events of a list. */
export interface FoldedState {
  store: ForkableReadStore;
  generation: Generation;
}

/** Folds projections up to past moments. */
export interface PastFolds {
  /**
   * Returns the state of a projection after the first `count` events and the further events.
   *
   * @param owner identifies the list of events
   */
  stateOf: (owner: string, projection: AnyProjection, events: PastEvents) => Promise<FoldedState>;
}

interface Snapshot extends FoldedState {
  /** number of folded events */
  count: number;
  checkpoint: Checkpoint;
}

/** Number of snapshots that are taken while the events of an owner are folded. */
const SNAPSHOTS = 8;
/** With fewer events than this, an intermediate snapshot would save nothing. */
const FEW_EVENTS = 200;
/** Maximum number of cached states of an owner and a projection. */
const MOST_STATES = 2 * SNAPSHOTS;
/** Maximum number of events in all cached snapshots together, each snapshot counted with all its events. */
const MOST_EVENTS = 400_000;
/** Milliseconds after which unused snapshots are dropped. */
const IDLE_MS = 300_000;

const BEGINNING: Checkpoint = { log_id: '', position: 0n, event_id: null };

/**
 * Creates a cache of folded states. A state is folded from the nearest cached state before it. Therefore, each part of
 * a page's events is folded only once while a user moves through the history of the page.
 */
export const createPastFolds = (openStore: () => ForkableReadStore, mostEvents = MOST_EVENTS): PastFolds => {
  const known = new LRUCache<string, Snapshot[]>({
    maxSize: mostEvents,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });
  /** folds in progress, so that concurrent requests for the same owner and projection share their work */
  const folding = new Map<string, Promise<unknown>>();
  /** shared by all folds of the process */
  const slices = sharedTimeSlices();

  const add = (key: string, snapshot: Snapshot): void => {
    const others = (known.peek(key) ?? []).filter(({ count }) => count !== snapshot.count);
    const snapshots = [...others, snapshot].slice(-MOST_STATES);
    let size = 1 + snapshots.reduce((sum, { count }) => sum + count, 0);
    // The snapshots of one owner and projection may take up half of the cache. The oldest ones give way.
    while (size > mostEvents / 2) size -= snapshots.shift()?.count ?? size;
    if (snapshots.length > 0) known.set(key, snapshots, { size });
  };

  const foldTo = async (
    key: string,
    projection: AnyProjection,
    { all, count }: PastEvents,
    pause: Pause,
  ): Promise<Snapshot> => {
    const snapshots = (known.get(key) ?? []).filter((one) => isStillOf(one, all));
    const nearest = snapshots
      .filter((one) => one.count <= count)
      .reduce<Snapshot | null>((best, one) => (one.count > (best?.count ?? -1) ? one : best), null);
    const distance = Math.max(FEW_EVENTS, Math.ceil(all.length / SNAPSHOTS));
    let state =
      nearest ?? (await foldFurther(projection, { store: openStore(), count: 0, checkpoint: BEGINNING }, [], pause));
    while (state.count < count) {
      const nextSnapshot = (Math.floor(state.count / distance) + 1) * distance;
      state = await foldFurther(projection, state, all.slice(state.count, Math.min(count, nextSnapshot)), pause);
      add(key, state);
    }
    return state;
  };

  return {
    stateOf: async (owner, projection, events) => {
      const key = `${projectionKey(projection)} ${owner}`;
      const pause = slices();
      const before = folding.get(key) ?? Promise.resolve();
      const folded = before.then(() => foldTo(key, projection, events, pause));
      const settled = folded.catch(() => undefined);
      folding.set(key, settled);
      try {
        const state = await folded;
        const isWhole = events.further.length === 0;
        const whole = isWhole ? state : await foldFurther(projection, state, events.further, pause);
        // The caller continues in the turn of the event loop in which the state is returned. With a pause before, callers
        // whose states are cached continue in different turns.
        await pause();
        return whole;
      } finally {
        if (folding.get(key) === settled) folding.delete(key);
      }
    },
  };
};

/**
 * Tests whether a snapshot was folded from the first events of a list. This is false if an event that was read late has
 * been inserted among these events.
 */
const isStillOf = ({ count, checkpoint }: Snapshot, all: readonly RecordedEvent[]): boolean =>
  count === 0 || all[count - 1]?.position === checkpoint.position;

/** Folds further events into a copy of a state. */
const foldFurther = async (
  projection: AnyProjection,
  { store, count, checkpoint }: Omit<Snapshot, 'generation'>,
  events: readonly RecordedEvent[],
  pause: Pause,
): Promise<Snapshot> => {
  await pause();
  const copy = store.fork();
  const generation = await foldInMemory(
    projection,
    inSteps(events, pause),
    copy,
    { checkpoint, documents: {} },
    events.length,
  );
  const last = events.at(-1);
  return {
    store: copy,
    generation,
    count: count + events.length,
    checkpoint: last ? { log_id: '', position: last.position, event_id: last.id } : checkpoint,
  };
};
