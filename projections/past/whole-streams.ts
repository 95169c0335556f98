import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { readToEnd } from '../engine/feed/log-end.ts';

const PAGE = 1_000;
/** Number of streams that are read concurrently. */
const CONCURRENT_STREAMS = 32;

/** Reads the events of streams one by one, each after the number of events that have been read of it. */
export const readStreams = async (
  main: Pick<EventStore, 'readStream'>,
  streams: readonly string[],
  read: ReadonlyMap<string, number>,
): Promise<RecordedEvent[]> => {
  const pause = timeSlices();
  const events: RecordedEvent[] = [];
  for (let first = 0; first < streams.length; first += CONCURRENT_STREAMS) {
    const some = await Promise.all(
      streams
        .slice(first, first + CONCURRENT_STREAMS)
        .map((stream) => readWholeStream(main, stream, read.get(stream) ?? 0)),
    );
    for (const own of some) events.push(...own);
    await pause();
  }
  return events;
};

/** Reads the events of streams by reading all events of their categories. */
export const readAmongAll = async (
  main: Pick<EventStore, 'readAll'>,
  categories: readonly string[],
  streams: readonly string[],
): Promise<RecordedEvent[]> => {
  const wanted = new Set(streams);
  const events: RecordedEvent[] = [];
  const pause = timeSlices();
  for await (const page of readToEnd(main, 0n, categories)) {
    for (const event of page) if (wanted.has(event.stream)) events.push(event);
    await pause();
  }
  return events;
};

/** Returns the events of a stream from a revision on, oldest first. */
export const readWholeStream = async (
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  from = 0,
): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await store.readStream(stream, { from: BigInt(from + events.length), limit: PAGE });
    events.push(...page);
    if (page.length < PAGE) return events;
  }
};
