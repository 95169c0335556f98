import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { before, CLOCKS_DIFFER_MS, later, type Instant } from '../../../domain/time.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';

type StreamReader = Pick<EventStore, 'readStream'>;

/** Events of a stream by their revisions: `end` is exclusive. */
export interface StreamRange {
  stream: string;
  start: bigint;
  end: bigint;
}

const PAGE = 500;
/** Number of events below which a further step of the search would cost more than reading them. */
const NEAR = 16n;

/**
 * Finds the events of a stream that were recorded in a period, by a binary search of the stream. The range contains some
 * events of other times, because the clocks of processes differ.
 *
 * @returns null: the stream has no events
 */
export const findRange = async (
  log: StreamReader,
  stream: string,
  { from, until }: { from: Instant; until: Instant },
): Promise<StreamRange | null> => {
  const [last] = await log.readStream(stream, { direction: 'backwards', limit: 1 });
  if (!last) return null;
  const length = last.revision + 1n;
  const start = await firstSince(log, stream, before(from, CLOCKS_DIFFER_MS), { low: 0n, high: length });
  const after = later(until, CLOCKS_DIFFER_MS);
  if (last.metadata.recorded_at <= after) return { stream, start, end: length };
  const end = (await firstSince(log, stream, after, { low: start, high: length })) + NEAR;
  return { stream, start, end: end < length ? end : length };
};

/** Returns a revision at most {@link NEAR} before the first event since an instant. */
const firstSince = async (
  log: StreamReader,
  stream: string,
  since: Instant,
  { low, high }: { low: bigint; high: bigint },
): Promise<bigint> => {
  while (high - low > NEAR) {
    const middle = (low + high) / 2n;
    const [event] = await log.readStream(stream, { from: middle, limit: 1 });
    // Without an event at or after this revision, retention has removed those before.
    if (event && event.metadata.recorded_at >= since) high = middle;
    else low = middle;
  }
  return low;
};

export const sizeOfRange = ({ start, end }: StreamRange): number => Number(end - start);

export interface RangeOptions {
  /** converts each matching event, for example to a smaller one */
  convert?: (event: RecordedEvent) => RecordedEvent;
  /** maximum number of matching events */
  most: number;
}

/** Reads the events of a range that match, in pages and time slices. Returns null if too many match. */
export const readRange = async (
  log: StreamReader,
  { stream, start, end }: StreamRange,
  matches: (event: RecordedEvent) => boolean,
  { convert = (event) => event, most }: RangeOptions,
): Promise<RecordedEvent[] | null> => {
  const found: RecordedEvent[] = [];
  const pause = timeSlices();
  for (let from = start; from < end;) {
    const page = await log.readStream(stream, { from, limit: Math.min(PAGE, Number(end - from)) });
    for (const event of page) if (event.revision < end && matches(event)) found.push(convert(event));
    if (found.length > most) return null;
    const last = page.at(-1);
    if (!last) break;
    from = last.revision + 1n;
    await pause();
  }
  return found;
};
