import type { RecordedEvent } from '../../../domain/event.ts';
import { DamagedEvent, UnknownEvent } from '../../../stores/event-store/port.ts';
import { millisecondsOf } from '../../../domain/time.ts';
import type { ProjectionFailure } from '../status/protocol.ts';

/**
 * An event that a projection cannot fold. If this release does not know its type or version, it stops the projection
 * and is never skipped (docs/develop/projections.md#poison-events). If a handler throws, the documents that the event touches are set
 * aside.
 */
export class PoisonousEvent extends Error {
  readonly event: RecordedEvent;

  constructor(projection: string, event: RecordedEvent, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${projection} cannot fold ${event.type} at position ${event.position}: ${reason}`, { cause });
    this.name = 'PoisonousEvent';
    this.event = event;
  }
}

/** What is wrong with an event, and when it was recorded (`Unfolded`). */
export interface Poison {
  failure: ProjectionFailure;
  recordedAt: number | null;
}

/** What is wrong with an event, if an event is the cause; null if a retry may succeed. */
export const findPoison = (error: unknown): Poison | null => {
  if (error instanceof PoisonousEvent) {
    const { position, id, type, metadata } = error.event;
    const failure = { message: error.message, position, event_id: id, event_type: type };
    return { failure, recordedAt: millisecondsOf(metadata.recorded_at) };
  }
  // A log never returns these.
  if (error instanceof UnknownEvent) {
    const { message, position, type, recordedAt } = error;
    return { failure: { message, position, event_id: null, event_type: type }, recordedAt };
  }
  if (error instanceof DamagedEvent) {
    const { message, position } = error;
    return { failure: { message, position, event_id: null, event_type: null }, recordedAt: null };
  }
  return null;
};
