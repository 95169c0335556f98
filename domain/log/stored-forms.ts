import type { RecordedEvent } from '../event.ts';

/** Maps each upcast event to its stored form, which was not upcast. */
const stored = new WeakMap<RecordedEvent, RecordedEvent>();

/** Records the stored form of an upcast event. @returns the upcast event */
export const withStoredForm = (current: RecordedEvent, event: RecordedEvent): RecordedEvent => {
  stored.set(current, event);
  return current;
};

/** Returns the stored form of an event that may have been upcast when it was read. */
export const storedFormOf = (event: RecordedEvent): RecordedEvent => stored.get(event) ?? event;
