import { canonicalJson } from '../../domain/canonical-json.ts';
import type { NewEvent, RecordedEvent } from '../../domain/event.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { UnknownEvent, WrongExpectedRevision, type Appended, type EventStore } from './port.ts';

/**
 * Maximum time in milliseconds by which the timestamps of neighbouring events in a stream can be out of order. Two
 * minutes are enough, because an append is retried for less than a minute, and the clocks of processes differ little
 * (service/cluster/store-clock.ts).
 */
const SPREAD_MS = 120_000;
/** Number of events in the first page. It is small, because repeated events are usually near the end of the stream. */
const FIRST_PAGE = 100;
const PAGE = 1_000;
/**
 * Maximum number of attempts. The final attempt appends even if another writer has appended since the stream was read.
 */
const TRIES = 5;

export interface AppendMissingResult {
  /** ids of the events that were in the stream already */
  stored: ReadonlySet<string>;
  /** ids of the stored events whose data differs from the given event with the same id */
  conflicting: ReadonlySet<string>;
  /** position of the last of the given events */
  last: Appended;
  /** a position such that all given events are at or before it */
  upTo: bigint;
}

/** The end of a stream: its last revision, and the wanted events that were found before it. */
interface StreamTail {
  end: bigint | 'no_stream';
  found: Map<string, Appended>;
  others: Set<string>;
}

/** Adds to `tail` the wanted events that a page contains. */
const noteWanted = (page: readonly RecordedEvent[], wanted: ReadonlyMap<string, NewEvent>, tail: StreamTail): void => {
  for (const { id, revision, position, data } of page) {
    const event = wanted.get(id);
    if (!event) continue;
    tail.found.set(id, { revision, position });
    if (canonicalJson(data) !== canonicalJson(event.data)) tail.others.add(id);
  }
};

/**
 * Appends the given events that are not in the stream yet. A store recognizes repeated ids of appends with expected
 * revision "any" only for a while (EventStoreDB forgets them at a restart). So this function reads the stream
 * backwards, from its end to the events recorded around `since`. Then it appends at the revision of the end, which
 * fails if another writer has appended in between. After several failures, it appends without an expected revision. A
 * duplicate does no harm, because readers ignore events with an id that they have seen.
 *
 * @param since the earliest time at which one of the events can have been stored, milliseconds since 1970
 * @throws StoreUnavailable the outcome is unknown; the call may be repeated
 * @throws AppendTooLarge, DamagedEvent
 */
export const appendMissing = async (
  log: Pick<EventStore, 'append' | 'readStream'>,
  stream: string,
  events: readonly NewEvent[],
  since: number,
): Promise<AppendMissingResult> => {
  const wanted = new Map(events.map((event) => [event.id, event]));
  const found = new Map<string, Appended>();
  const others = new Set<string>();
  const tail: StreamTail = { end: 'no_stream', found, others };
  await readBack(log, stream, wanted, since, tail).catch(unlessUnknown);
  const lastId = events.at(-1)?.id ?? '';
  for (let tries = 1; ; tries++) {
    const stored = new Set(found.keys());
    const missing = events.filter(({ id }) => !stored.has(id));
    const at = found.get(lastId);
    if (at && missing.length === 0)
      return { stored: stored, conflicting: others, last: at, upTo: furthest(found.values()) };
    try {
      const appended = await log.append(stream, missing, tries < TRIES ? tail.end : 'any');
      return {
        stored: stored,
        conflicting: others,
        last: at ?? appended,
        upTo: furthest([appended, ...found.values()]),
      };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      // Some of the missing events are stored in a part of the stream that was not read. So append the missing events
      // one by one. For an event that is already stored, the store returns the result of the append that stored it.
      if (tries >= TRIES) {
        for (const event of missing) found.set(event.id, await log.append(stream, [event], 'any'));
        return {
          stored: stored,
          conflicting: others,
          last: found.get(lastId) ?? NO_POSITION,
          upTo: furthest(found.values()),
        };
      }
      await readOn(log, stream, wanted, tail).catch(unlessUnknown);
      // A store does not return events past their retention. So a stream can seem not to exist, although it has a
      // revision. The error contains this revision.
      if (tail.end === 'no_stream') tail.end = error.actual;
    }
  }
};

/**
 * Reads a stream backwards from its end, until all wanted events are found, or until the events are older than `since`.
 */
const readBack = async (
  log: Pick<EventStore, 'readStream'>,
  stream: string,
  wanted: ReadonlyMap<string, NewEvent>,
  since: number,
  tail: StreamTail,
): Promise<void> => {
  let from: bigint | null = null;
  for (let limit = FIRST_PAGE; ; limit = PAGE) {
    const at: { from?: bigint } = from === null ? {} : { from };
    const page = await log.readStream(stream, { direction: 'backwards', limit, ...at });
    if (tail.end === 'no_stream') tail.end = page[0]?.revision ?? 'no_stream';
    noteWanted(page, wanted, tail);
    const oldest = page.at(-1);
    if (page.length < limit || !oldest || oldest.revision === 0n || tail.found.size === wanted.size) return;
    if (millisecondsOf(oldest.metadata.recorded_at) < since - SPREAD_MS) return;
    from = oldest.revision - 1n;
  }
};

/** Reads the events that were appended after the previous read. */
const readOn = async (
  log: Pick<EventStore, 'readStream'>,
  stream: string,
  wanted: ReadonlyMap<string, NewEvent>,
  tail: StreamTail,
): Promise<void> => {
  for (;;) {
    const page = await log.readStream(stream, {
      from: tail.end === 'no_stream' ? 0n : tail.end + 1n,
      limit: PAGE,
    });
    noteWanted(page, wanted, tail);
    tail.end = page.at(-1)?.revision ?? tail.end;
    if (page.length < PAGE) return;
  }
};

/** The result for an empty list of events. */
const NO_POSITION: Appended = { revision: 0n, position: 0n };

const furthest = (all: Iterable<Appended>): bigint => {
  let position = 0n;
  for (const one of all) if (one.position > position) position = one.position;
  return position;
};

/** Ignores the error for events of a newer release, because an append is possible even if they cannot be read. */
const unlessUnknown = (error: unknown): void => {
  if (!(error instanceof UnknownEvent)) throw error;
};
