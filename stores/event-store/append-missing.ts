import { canonicalJson } from '../../domain/canonical-json.ts';
import type { NewEvent, RecordedEvent } from '../../domain/event.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { UnknownEvent, WrongExpectedRevision, type Appended, type EventStore } from './port.ts';

/**
 * How much earlier than a given moment an event may be recorded that comes after an event of that moment,
 * milliseconds: an append is tried for less than a minute, and clocks nearly agree (service/cluster/store-clock.ts).
 */
const SPREAD_MS = 120_000;
/** Events read at a time: repeated events are usually near the end. */
const FIRST_PAGE = 100;
const PAGE = 1_000;
/** How often others may append between reading the end and appending, before their appends are ignored. */
const TRIES = 5;

export interface AppendedMissing {
  /** ids of those that were in the stream already */
  stood: ReadonlySet<string>;
  /** of these, those that say something else than the event that was given */
  others: ReadonlySet<string>;
  /** position of the last of the events */
  last: Appended;
  /** all of them are at or before this position */
  upTo: bigint;
}

/** Where a stream ends, and where those of the wanted events are that it holds. */
interface Looked {
  end: bigint | 'no_stream';
  found: Map<string, Appended>;
  others: Set<string>;
}

/** Notes those of some events that are wanted. */
const note = (page: readonly RecordedEvent[], wanted: ReadonlyMap<string, NewEvent>, looked: Looked): void => {
  for (const { id, revision, position, data } of page) {
    const event = wanted.get(id);
    if (!event) continue;
    looked.found.set(id, { revision, position });
    if (canonicalJson(data) !== canonicalJson(event.data)) looked.others.add(id);
  }
};

/**
 * Appends those of the given events that are not in their stream yet. A store remembers ids of appends that expect
 * any revision only for a while (EventStoreDB forgets them at a restart). So the stream itself is read, from its end
 * back to where an event recorded at `since` can be, and the append expects the end that was read, so nothing comes in
 * between. If others keep appending it is made all the same: readers ignore events they have already seen.
 *
 * @param since the earliest time at which the first of them can have been recorded, milliseconds since 1970
 * @throws StoreUnavailable the outcome is unknown; the call may be repeated
 * @throws AppendTooLarge, DamagedEvent
 */
export const appendMissing = async (
  log: Pick<EventStore, 'append' | 'readStream'>,
  stream: string,
  events: readonly NewEvent[],
  since: number,
): Promise<AppendedMissing> => {
  const wanted = new Map(events.map((event) => [event.id, event]));
  const found = new Map<string, Appended>();
  const others = new Set<string>();
  const looked: Looked = { end: 'no_stream', found, others };
  await lookBack(log, stream, wanted, since, looked).catch(unlessUnknown);
  const lastId = events.at(-1)?.id ?? '';
  for (let tries = 1; ; tries++) {
    const stood = new Set(found.keys());
    const missing = events.filter(({ id }) => !stood.has(id));
    const at = found.get(lastId);
    if (at && missing.length === 0) return { stood, others, last: at, upTo: furthest(found.values()) };
    try {
      const appended = await log.append(stream, missing, tries < TRIES ? looked.end : 'any');
      return { stood, others, last: at ?? appended, upTo: furthest([appended, ...found.values()]) };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      // The store knows one from before the part that was read; each by itself gets the same answer as the first time.
      if (tries >= TRIES) {
        for (const event of missing) found.set(event.id, await log.append(stream, [event], 'any'));
        return { stood, others, last: found.get(lastId) ?? NOWHERE, upTo: furthest(found.values()) };
      }
      await lookOn(log, stream, wanted, looked).catch(unlessUnknown);
      // What is past its retention is no longer read.
      if (looked.end === 'no_stream') looked.end = error.actual;
    }
  }
};

/** Reads a stream backwards from its end. */
const lookBack = async (
  log: Pick<EventStore, 'readStream'>,
  stream: string,
  wanted: ReadonlyMap<string, NewEvent>,
  since: number,
  looked: Looked,
): Promise<void> => {
  let from: bigint | null = null;
  for (let limit = FIRST_PAGE; ; limit = PAGE) {
    const at: { from?: bigint } = from === null ? {} : { from };
    const page = await log.readStream(stream, { direction: 'backwards', limit, ...at });
    if (looked.end === 'no_stream') looked.end = page[0]?.revision ?? 'no_stream';
    note(page, wanted, looked);
    const oldest = page.at(-1);
    if (page.length < limit || !oldest || oldest.revision === 0n || looked.found.size === wanted.size) return;
    if (millisecondsOf(oldest.metadata.recorded_at) < since - SPREAD_MS) return;
    from = oldest.revision - 1n;
  }
};

/** Reads what was appended since the last look. */
const lookOn = async (
  log: Pick<EventStore, 'readStream'>,
  stream: string,
  wanted: ReadonlyMap<string, NewEvent>,
  looked: Looked,
): Promise<void> => {
  for (;;) {
    const page = await log.readStream(stream, {
      from: looked.end === 'no_stream' ? 0n : looked.end + 1n,
      limit: PAGE,
    });
    note(page, wanted, looked);
    looked.end = page.at(-1)?.revision ?? looked.end;
    if (page.length < PAGE) return;
  }
};

/** Of no events. */
const NOWHERE: Appended = { revision: 0n, position: 0n };

const furthest = (all: Iterable<Appended>): bigint => {
  let position = 0n;
  for (const one of all) if (one.position > position) position = one.position;
  return position;
};

/** What a newer release wrote can't be read here; it must not block an append. */
const unlessUnknown = (error: unknown): void => {
  if (!(error instanceof UnknownEvent)) throw error;
};
