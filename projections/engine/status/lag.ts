import { eventTypes } from '../../../domain/event-types.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { millisecondsOf } from '../../../domain/time.ts';
import { DamagedEvent, UnknownEvent, type EventStore } from '../../../stores/event-store/port.ts';
import type { AnyProjection } from '../fold/define.ts';

/** An event that a projection must fold and has not folded yet. */
export interface Unfolded {
  position: bigint;
  /** Time in milliseconds since 1970, by the clock of the process that recorded the event. Null if unknown. */
  recordedAt: number | null;
}

export const unfolded = ({ position, metadata }: Pick<RecordedEvent, 'position' | 'metadata'>): Unfolded => ({
  position,
  recordedAt: millisecondsOf(metadata.recorded_at),
});

/** Tests whether a projection folds events of a type. */
export const folds = (projection: AnyProjection, type: string): boolean => type in (projection.on as object);

const PAGE = 100;

/**
 * Searches a log, after a position, for the oldest event that a projection must fold, or at which it would stop.
 * Returns null if there is none. Queries the log only for event types of this projection, because there might be many
 * other events.
 *
 * @param counts decides whether an event counts; called for each event that the projection folds; default: all count
 * @throws StoreUnavailable
 */
export const oldestUnfolded = async (
  store: Pick<EventStore, 'readAll'>,
  projection: AnyProjection,
  position: bigint,
  counts: (event: RecordedEvent) => Promise<boolean> = async () => true,
): Promise<Unfolded | null> => {
  const categories = Object.entries(eventTypes)
    .filter(([, types]) => Object.keys(types).some((type) => folds(projection, type)))
    .map(([category]) => category);
  try {
    for (let after = position; ;) {
      const events = await store.readAll({ after, categories, limit: PAGE });
      for (const event of events) if (folds(projection, event.type) && (await counts(event))) return unfolded(event);
      const last = events.at(-1);
      if (!last || events.length < PAGE) return null;
      after = last.position;
    }
  } catch (error) {
    if (error instanceof UnknownEvent) return { position: error.position, recordedAt: error.recordedAt };
    if (error instanceof DamagedEvent) return { position: error.position ?? position + 1n, recordedAt: null };
    throw error;
  }
};

/** An event that waits to be folded, with the data from which its waiting time is computed. */
export interface WaitingEvent {
  position: bigint;
  /** Age of the event when it was noticed, in milliseconds. */
  age: number;
  /** Time at which the event was noticed, by the monotonic clock. */
  noticed: number;
}

/**
 * Measures the age of the oldest event that a projection has not folded. The age at which the event was noticed is
 * computed from wall clocks, and is at least zero. After that, the age grows by the monotonic clock.
 */
export const waitingSince = (
  oldest: Unfolded | null,
  before: WaitingEvent | null,
  clock: { now: () => number; monotonic: () => number },
): WaitingEvent | null => {
  if (!oldest) return null;
  if (before?.position === oldest.position) return before;
  const age = oldest.recordedAt === null ? 0 : Math.max(0, clock.now() - oldest.recordedAt);
  return { position: oldest.position, age, noticed: clock.monotonic() };
};

/** Returns the lag in seconds. */
export const lagOf = (waiting: WaitingEvent | null, monotonic: number): number =>
  waiting === null ? 0 : (waiting.age + monotonic - waiting.noticed) / 1_000;
