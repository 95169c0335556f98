import type { RecordedEvent } from '../event.ts';

/** The key of an upcast event's stored form. A property costs less than an entry in a map for each event of a log. */
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

/** Returns the stored form of an event that was read from a checked log: without upcasting. */
export const storedFormOf = (event: RecordedEvent): RecordedEvent => (event as Upcast)[STORED] ?? event;
