import { categoryOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Output } from '../../service/output.ts';
import { createRecentIds } from '../../domain/recent-ids.ts';

export interface ReplayOptions {
  /** first position to show; 0n is the beginning */
  from: bigint;
  /** event types to show; all when empty */
  types: readonly string[];
  /** the one stream to show; all when absent */
  stream?: string | undefined;
  /** shows every event in the log, also one that the results log holds again under the same id */
  raw: boolean;
  /** goes on with events as they are appended */
  follow: boolean;
  /** ends it */
  signal: AbortSignal;
}

const PAGE = 1_000;

/**
 * Writes the events of a log in order, as they are stored, one JSON object per line. Events that come again in the
 * results log within 100,000 events are left out, as every reader leaves them out.
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
      if (recent?.take(event.id) === false) continue;
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

/** An event as one line of JSON; position and revision are whole numbers of any size. */
export const jsonLine = ({ position, revision, stream, id, type, data, metadata }: RecordedEvent): string =>
  `{"position":${position},"stream":${JSON.stringify(stream)},"revision":${revision},` +
  JSON.stringify({ id, type, data, metadata }).slice(1);
