import type { RecordedEvent } from '../event.ts';

/** Property of an upcast event that refers to its stored form. A map with an entry for each event would cost more. */
const STORED = Symbol('stored form');

type Upcast = RecordedEvent & { readonly [STORED]?: RecordedEvent };

/** Returns an event upcast to the current version of its type, with a reference to its stored form. */
export const withStoredForm = (
  current: Pick<RecordedEvent, 'data' | 'metadata'>,
  event: RecordedEvent,
): RecordedEvent => {
  const upcast: Upcast = { ...event, ...current, [STORED]: event };
  return upcast;
};

/** Returns the stored form, which was not upcast, of an event that was read from a checked log. */
export const storedFormOf = (event: RecordedEvent): RecordedEvent => (event as Upcast)[STORED] ?? event;
