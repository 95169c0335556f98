import type { NewEvent } from '../../domain/event.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { UnknownEvent, WrongExpectedRevision, type Appended, type EventStore } from './port.ts';

/**
 * How much earlier than a moment an event may be recorded that stands after one of that moment, milliseconds: an
 * append is tried for less than a minute, and clocks are nearly together (service/cluster/store-clock.ts).
 */
const SPREAD_MS = 120_000;
/** Events read at a time: what comes again stands near the end, most often. */
const FIRST_PAGE = 100;
const PAGE = 1_000;
/** How often others may append between a look at the end and an append, before they are not minded any more. */
const TRIES = 5;

export interface AppendedMissing {
  /** ids of those that stood in the stream already */
  stood: ReadonlySet<string>;
  /** where the last of the events stands */
  last: Appended;
  /** the position at or before which all of them stand */
  upTo: bigint;
}

/** Where the end of a stream is, and where those of the events that are looked for stand that are there. */
interface Looked {
  end: bigint | 'no_stream';
  found: Map<string, Appended>;
}

/**
 * Appends those of some events that do not stand in their stream yet. A store knows ids of appends that expect any
 * revision for a while at most, EventStoreDB not over a restart, so the stream itself is read, from its end back to
 * where an event recorded at `since` can stand; and the append expects the end that was seen, so that nothing comes
 * in between. Should others append all the time it is made all the same: readers ignore what they have seen.
 *
 * @param since when the first of them can have been recorded at the earliest, milliseconds since 1970
 * @throws StoreUnavailable the outcome is unknown; the same may be asked again
 * @throws AppendTooLarge, DamagedEvent
 */
export const appendMissing = async (
  log: Pick<EventStore, 'append' | 'readStream'>,
  stream: string,
  events: readonly NewEvent[],
  since: number,
): Promise<AppendedMissing> => {
  const ids = new Set(events.map(({ id }) => id));
  const found = new Map<string, Appended>();
  const looked: Looked = { end: 'no_stream', found };
  await lookBack(log, stream, ids, since, looked).catch(unlessUnknown);
  const lastId = events.at(-1)?.id ?? '';
  for (let tries = 1; ; tries++) {
    const stood = new Set(found.keys());
    const missing = events.filter(({ id }) => !stood.has(id));
    const at = found.get(lastId);
    if (at && missing.length === 0) return { stood, last: at, upTo: furthest(found.values()) };
    try {
      const appended = await log.append(stream, missing, tries < TRIES ? looked.end : 'any');
      return { stood, last: at ?? appended, upTo: furthest([appended, ...found.values()]) };
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      // One that the store knows from before what was looked through; each by itself is answered as the first time.
      if (tries >= TRIES) {
        for (const event of missing) found.set(event.id, await log.append(stream, [event], 'any'));
        return { stood, last: found.get(lastId) ?? NOWHERE, upTo: furthest(found.values()) };
      }
      await lookOn(log, stream, ids, looked).catch(unlessUnknown);
      // What is past retention is not read any more.
      if (looked.end === 'no_stream') looked.end = error.actual;
    }
  }
};

/** Reads a stream backwards from its end. */
const lookBack = async (
  log: Pick<EventStore, 'readStream'>,
  stream: string,
  ids: ReadonlySet<string>,
  since: number,
  looked: Looked,
): Promise<void> => {
  let from: bigint | null = null;
  for (let limit = FIRST_PAGE; ; limit = PAGE) {
    const at: { from?: bigint } = from === null ? {} : { from };
    const page = await log.readStream(stream, { direction: 'backwards', limit, ...at });
    if (looked.end === 'no_stream') looked.end = page[0]?.revision ?? 'no_stream';
    for (const { id, revision, position } of page) if (ids.has(id)) looked.found.set(id, { revision, position });
    const oldest = page.at(-1);
    if (page.length < limit || !oldest || oldest.revision === 0n || looked.found.size === ids.size) return;
    if (millisecondsOf(oldest.metadata.recorded_at) < since - SPREAD_MS) return;
    from = oldest.revision - 1n;
  }
};

/** Reads what was appended since the last look. */
const lookOn = async (
  log: Pick<EventStore, 'readStream'>,
  stream: string,
  ids: ReadonlySet<string>,
  looked: Looked,
): Promise<void> => {
  for (;;) {
    const page = await log.readStream(stream, {
      from: looked.end === 'no_stream' ? 0n : looked.end + 1n,
      limit: PAGE,
    });
    for (const { id, revision, position } of page) if (ids.has(id)) looked.found.set(id, { revision, position });
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

/** What a newer release wrote can't be read here; it must not hold up what this one has to store. */
const unlessUnknown = (error: unknown): void => {
  if (!(error instanceof UnknownEvent)) throw error;
};
