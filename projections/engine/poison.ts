import type { RecordedEvent } from '../../domain/event.ts';
import { DamagedEvent, UnknownEvent } from '../../stores/event-store/port.ts';
import type { ProjectionFailure } from './protocol.ts';

/**
 * An event that a projection can't fold: its handler throws, or its type or version is unknown to the
 * running code. It stops the projection; it is never skipped (design.md: Projections).
 */
export class PoisonousEvent extends Error {
  readonly event: RecordedEvent;

  constructor(projection: string, event: RecordedEvent, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${projection} can't fold ${event.type} at position ${event.position.toString()}: ${reason}`, { cause });
    this.name = 'PoisonousEvent';
    this.event = event;
  }
}

/** What is wrong with an event, where an event is to blame; null when the same may succeed in a while. */
export const poisonIn = (error: unknown): ProjectionFailure | null => {
  if (error instanceof PoisonousEvent) {
    const { position, id, type } = error.event;
    return { message: error.message, position, event_id: id, event_type: type };
  }
  // A log does not hand these out in the first place.
  if (error instanceof UnknownEvent) {
    return { message: error.message, position: error.position, event_id: null, event_type: error.type };
  }
  if (error instanceof DamagedEvent) {
    return { message: error.message, position: error.position, event_id: null, event_type: null };
  }
  return null;
};
