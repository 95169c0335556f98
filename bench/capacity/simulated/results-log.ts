import type { NewEvent, RecordedEvent } from '../../../domain/event.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';

/** The part of the log interface that a simulation uses. */
export interface ResultsLog extends Pick<EventStore, 'append' | 'readStream' | 'readAll' | 'subscribe'> {
  /** returns the position of the newest event */
  head: () => bigint;
  /** Discards the events up to a position. Call this only when all readers have passed the position. */
  forget: (position: bigint) => void;
}

/**
 * Creates a log in memory.
 *
 * @param stored returns a promise that resolves when an append of this many events is durable
 */
export const createResultsLog = (stored: (events: number) => Promise<void>): ResultsLog => {
  let events: RecordedEvent[] = [];
  let position = 0n;
  let grown = (): void => undefined;
  let growth = new Promise<void>((resolve) => (grown = resolve));

  const after = (from: bigint, limit: number): RecordedEvent[] => {
    const first = events[0]?.position ?? position + 1n;
    if (from + 1n < first) throw new Error('A reader is behind the discarded events.');
    const index = Number(from + 1n - first);
    return events.slice(index, index + limit);
  };

  return {
    append: async (stream, appended: readonly NewEvent[]) => {
      await stored(appended.length);
      for (const event of appended) {
        position += 1n;
        events.push({ ...event, stream, revision: position - 1n, position });
      }
      grown();
      growth = new Promise((resolve) => (grown = resolve));
      return { revision: position - 1n, position };
    },
    readStream: async () => [],
    readAll: async ({ after: from, limit = 1_000 }) => after(from, limit),
    subscribe: async function* ({ after: from, signal }) {
      for (let read = from; !signal.aborted;) {
        const page = after(read, 1_000);
        if (page.length > 0) {
          read = page.at(-1)?.position ?? read;
          yield page;
        } else await growth;
      }
    },
    head: () => position,
    forget: (passed) => {
      events = events.filter((event) => event.position > passed);
    },
  };
};
