import type { RecordedEvent } from '../../../domain/event.ts';
import { DamagedEvent, UnknownEvent, type EventStore } from '../../../stores/event-store/port.ts';

const PAGE = 1_000;

/**
 * Reads the events of a log after a position, in pages. Stops at the end of the log, or at an event that this release
 * cannot read, because no read model can fold later events. Appends nothing, so a read-only store suffices.
 *
 * @param after position of an event; all events after it are read, so it should be near the end
 * @throws StoreUnavailable
 */
export const readUntilEnd = async function* (
  store: Pick<EventStore, 'readAll'>,
  after: bigint,
  categories?: readonly string[],
): AsyncGenerator<readonly RecordedEvent[]> {
  try {
    for await (const events of readToEnd(store, after, categories)) {
      yield events;
      if (events.length < PAGE) return;
    }
  } catch (error) {
    if (!(error instanceof UnknownEvent || error instanceof DamagedEvent)) throw error;
  }
};

/**
 * Reads all events of a log after a position, in pages. A store returns the events before an unreadable one, and fails
 * at the next read. Therefore, only an empty page is the end of the log.
 *
 * @throws DamagedEvent, UnknownEvent after the events before an event that this release cannot read
 * @throws StoreUnavailable
 */
export const readToEnd = async function* (
  store: Pick<EventStore, 'readAll'>,
  after: bigint,
  categories?: readonly string[],
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let end = after; ;) {
    const events = await store.readAll({ after: end, limit: PAGE, ...(categories && { categories }) });
    const last = events.at(-1);
    if (!last) return;
    yield events;
    end = last.position;
  }
};

/**
 * Returns the position of the newest event of a log. Returns `after` if there is no event after it.
 *
 * @throws StoreUnavailable
 */
export const findEndOfLog = async (store: Pick<EventStore, 'readAll'>, after: bigint): Promise<bigint> => {
  let end = after;
  for await (const events of readUntilEnd(store, after)) end = events.at(-1)?.position ?? end;
  return end;
};
