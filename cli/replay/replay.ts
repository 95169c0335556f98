import { categoryOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Output } from '../../service/output.ts';
import { createRecentIds } from '../../domain/recent-ids.ts';

export interface ReplayOptions {
  /** position of the first event to show; 0n is the beginning */
  from: bigint;
  /** event types to show; empty: all */
  types: readonly string[];
  /** name of the only stream to show; absent: all streams */
  stream?: string | undefined;
  /** whether to show every event in the log, including repeated events with the same id in the results log */
  raw: boolean;
  /** whether to wait for new events at the end of the log */
  follow: boolean;
  /** ends the replay when it is aborted */
  signal: AbortSignal;
}

const PAGE = 1_000;

/**
 * Writes the stored events of a log in order, one JSON object per line. Like all readers, it leaves out an event of the
 * results log that repeats one of the previous 100,000.
 */
export const replay = async (store: EventStore, options: ReplayOptions, output: Output): Promise<void> => {
  const { from, types, stream, raw, signal } = options;
  const recent = store.name === 'results' && !raw ? createRecentIds() : null;
  const categories = stream === undefined ? {} : { categories: [categoryOf(stream)] };
  const after = from > 0n ? from - 1n : 0n;
  const pages = options.follow ? store.subscribe({ after, signal, ...categories }) : stored(store, after, categories);
  for await (const events of pages) {
    for (const event of events) {
      if (signal.aborted) return;
      if (types.length > 0 && !types.includes(event.type)) continue;
      if (stream !== undefined && event.stream !== stream) continue;
      if (recent?.add(event.id) === false) continue;
      await output.line(jsonLine(event));
    }
  }
};

async function* stored(
  store: EventStore,
  start: bigint,
  filter: { categories?: readonly string[] },
): AsyncIterable<RecordedEvent[]> {
  for (let after = start; ;) {
    const events = await store.readAll({ after, limit: PAGE, ...filter });
    const last = events.at(-1);
    if (!last) return;
    yield events;
    after = last.position;
  }
}

/** Formats an event as one line of JSON. Position and revision are integers without a limit. */
export const jsonLine = ({ position, revision, stream, id, type, data, metadata }: RecordedEvent): string =>
  `{"position":${position},"stream":${JSON.stringify(stream)},"revision":${revision},` +
  JSON.stringify({ id, type, data, metadata }).slice(1);
