import { categoryOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Output } from '../../service/output.ts';
import { createRecentIds } from '../../domain/recent-ids.ts';

/** Which events of a log are shown. */
export interface ReplayFilters {
  /** position of the first event to show; 0n is the beginning */
  from: bigint;
  /** event types to show; empty: all */
  types: readonly string[];
  /** name of the only stream to show; absent: all streams */
  stream?: string | undefined;
  /** whether to show every event in the log, including repeated events with the same id in the results log */
  raw: boolean;
}

export interface ReplayOptions extends ReplayFilters {
  /** whether to wait for new events at the end of the log */
  follow: boolean;
  /** ends the replay when it is aborted */
  signal: AbortSignal;
}

const PAGE = 1_000;

/** Writes the selected events of a log in order, one JSON object per line. */
export const replay = async (store: EventStore, options: ReplayOptions, output: Output): Promise<void> => {
  for await (const event of replayedEvents(store, options)) {
    if (options.signal.aborted) return;
    await output.line(jsonLine(event));
  }
};

/**
 * Yields the selected events of a log in order, as they are stored. In the results log, an event that repeats one of
 * the previous 100,000 is left out, as for all readers. Ends when the signal is aborted.
 */
export async function* replayedEvents(
  store: EventStore,
  { from, types, stream, raw, follow, signal }: ReplayOptions,
): AsyncGenerator<RecordedEvent, void, undefined> {
  const recent = store.name === 'results' && !raw ? createRecentIds() : null;
  const categories = stream === undefined ? {} : { categories: [categoryOf(stream)] };
  const after = from > 0n ? from - 1n : 0n;
  const pages = follow ? store.subscribe({ after, signal, ...categories }) : stored(store, after, categories);
  for await (const events of pages) {
    if (signal.aborted) return;
    for (const event of events) {
      if (types.length > 0 && !types.includes(event.type)) continue;
      if (stream !== undefined && event.stream !== stream) continue;
      if (recent?.add(event.id) === false) continue;
      yield event;
    }
  }
}

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

/** The parts of an event's line. `data` and `metadata` are JSON. */
export interface LineParts {
  position: bigint;
  stream: string;
  revision: bigint;
  id: string;
  type: string;
  data: string;
  metadata: string;
}

/** Returns the parts of the line that {@link jsonLine} returns. */
export const lineParts = ({ data, metadata, ...event }: RecordedEvent): LineParts => ({
  ...event,
  data: JSON.stringify(data),
  metadata: JSON.stringify(metadata),
});

/** Joins the parts of a line. Position and revision are integers without a limit. */
export const joinedLine = ({ position, stream, revision, id, type, data, metadata }: LineParts): string =>
  `{"position":${position},"stream":${JSON.stringify(stream)},"revision":${revision},` +
  `"id":${JSON.stringify(id)},"type":${JSON.stringify(type)},"data":${data},"metadata":${metadata}}`;

/** Formats an event as one line of JSON. */
export const jsonLine = (event: RecordedEvent): string => joinedLine(lineParts(event));
