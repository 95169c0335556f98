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
  /** the only stream to show; all when absent */
  stream?: string | undefined;
  /** shows every event in the log, including repeats under the same id in the results log */
  raw: boolean;
  /** continues with events as they are appended */
  follow: boolean;
  /** ends the replay */
  signal: AbortSignal;
}

const PAGE = 1_000;

/**
 * Writes the stored events of a log in order, one JSON object per line. A repeat in the results log within 100,000
 * events is left out, as all readers do.
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

/** An event as one line of JSON; position and revision are whole numbers of any size. */
export const jsonLine = ({ position, revision, stream, id, type, data, metadata }: RecordedEvent): string =>
  `{"position":${position},"stream":${JSON.stringify(stream)},"revision":${revision},` +
  JSON.stringify({ id, type, data, metadata }).slice(1);
