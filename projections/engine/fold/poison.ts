import type { RecordedEvent } from '../../../domain/event.ts';
import { DamagedEvent, UnknownEvent } from '../../../stores/event-store/port.ts';
import { millisecondsOf } from '../../../domain/time.ts';
import type { ProjectionFailure } from '../status/protocol.ts';

/**
 * Thrown for an event that a projection cannot fold. If this release does not know the type or version of the event,
 * the projection stops and never skips the event (docs/develop/projections.md#poison-events). If a handler has thrown,
 * the documents that the event touches are set aside.
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

/** The failure that an event caused, and the time at which the event was recorded (`Unfolded`). */
export interface Poison {
  failure: ProjectionFailure;
  recordedAt: number | null;
}

/** Finds the event that caused an error. Returns null if no event is the cause, so that a retry might succeed. */
export const findPoison = (error: unknown): Poison | null => {
  if (error instanceof PoisonousEvent) {
    const { position, id, type, metadata } = error.event;
    const failure = { message: error.message, position, event_id: id, event_type: type };
    return { failure, recordedAt: millisecondsOf(metadata.recorded_at) };
  }
  // A log throws this error instead of returning an event that it does not know.
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
