import { categoryOf } from '../../domain/decider.ts';
import type { EventMetadata, RecordedEvent } from '../../domain/event.ts';
import { createGrowth, followLog, type LogScan } from './follow.ts';
import { actualRevision, decideAppend } from './append-outcome.ts';
import { StoreUnavailable, WrongExpectedRevision, type EventStore } from './port.ts';
import { serializeAppend, type SerializedEvent } from './serialized.ts';

interface StoredEvent extends SerializedEvent {
  stream: string;
  category: string;
  revision: number;
  position: bigint;
}

const PAGE = 1_000;

/**
 * Creates a log in memory, for tests. Stores events as JSON text, so that reads return the same as from a durable
 * store. Positions have gaps, like those of EventStoreDB.
 */
export const createMemoryEventStore = (name: 'main' | 'results'): EventStore => {
  const log: StoredEvent[] = [];
  const streams = new Map<string, StoredEvent[]>();
  const growth = createGrowth();
  let position = 0n;

  const open = (): void => {
    if (growth.closed) throw new StoreUnavailable(`The log ${name} is closed.`);
  };

  const scan = async (after: bigint, categories: readonly string[] | undefined, limit = PAGE): Promise<LogScan> => {
    open();
    const found: StoredEvent[] = [];
    let index = firstAfter(log, after);
    let upTo = after;
    for (; index < log.length && found.length < limit; index++) {
      const event = log[index];
      if (!event) break;
      upTo = event.position;
      if (!categories || categories.includes(event.category)) found.push(event);
    }
    return { events: found.map(recorded), upTo, atEnd: index >= log.length };
  };

  return {
    name,

    append: async (stream, events, expected) => {
      open();
      const serialized = serializeAppend(stream, events);
      const stored = streams.get(stream) ?? [];
      const verdict = decideAppend(
        { events: serialized, expected },
        {
          current: stored.length - 1,
          idAt: (revision) => stored[revision]?.id,
          recent: (id) => stored.findLast((event) => event.id === id)?.revision,
        },
      );
      if (verdict === 'conflict') {
        throw new WrongExpectedRevision(stream, expected, actualRevision(stored.length - 1));
      }
      if (verdict !== 'append') {
        const last = verdict.repeats + serialized.length - 1;
        return { revision: BigInt(last), position: stored[last]?.position ?? 0n };
      }
      for (const event of serialized) {
        position += BigInt(event.data.length + event.metadata.length);
        const entry = { ...event, stream, category: categoryOf(stream), revision: stored.length, position };
        stored.push(entry);
        log.push(entry);
      }
      streams.set(stream, stored);
      growth.grew();
      return { revision: BigInt(stored.length - 1), position };
    },

    readStream: async (stream, { from, direction = 'forwards', limit = Infinity } = {}) => {
      open();
      const stored = streams.get(stream) ?? [];
      const events =
        direction === 'forwards'
          ? stored.slice(Number(from ?? 0n))
          : stored.slice(0, from === undefined ? stored.length : Number(from) + 1).reverse();
      return events.slice(0, limit).map(recorded);
    },

    first: async () => {
      open();
      return log[0] ? recorded(log[0]) : null;
    },

    readAll: async ({ after, inclusive, categories, limit }) =>
      (await scan(inclusive === true ? after - 1n : after, categories, limit)).events,

    subscribe: (options) => followLog(scan, growth, options),

    health: async () => ({ writable: true, message: null }),

    close: async () => {
      growth.close();
    },
  };
};

const recorded = ({ id, type, data, metadata, stream, revision, position }: StoredEvent): RecordedEvent => ({
  id,
  type,
  data: JSON.parse(data) as object,
  metadata: JSON.parse(metadata) as EventMetadata,
  stream,
  revision: BigInt(revision),
  position,
});

/** Returns the index of the first event after a position, by binary search. */
const firstAfter = (log: readonly StoredEvent[], after: bigint): number => {
  let low = 0;
  let high = log.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log[middle]?.position ?? 0n) > after) high = middle;
    else low = middle + 1;
  }
  return low;
};
