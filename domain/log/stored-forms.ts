import type { RecordedEvent } from '../event.ts';

/** Events as they are stored, by the same events upcast to the current versions of their types. */
const stored = new WeakMap<RecordedEvent, RecordedEvent>();

/** Records the stored form of an upcast event. @returns the upcast event */
export const withStoredForm = (current: RecordedEvent, event: RecordedEvent): RecordedEvent => {
  stored.set(current, event);
  return current;
};

/** Returns the stored form of an event that was read from a checked log: without upcasting. */
export const storedFormOf = (event: RecordedEvent): RecordedEvent => stored.get(event) ?? event;
