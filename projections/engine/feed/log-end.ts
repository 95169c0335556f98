import type { RecordedEvent } from '../../../domain/event.ts';
import { DamagedEvent, UnknownEvent, type EventStore } from '../../../stores/event-store/port.ts';

const PAGE = 1_000;

/**
 * The events of a log after a position, in pages, up to its end or to an event that cannot be read, which no read model
 * gets past. It only reads, so it also works where nothing can be appended.
 *
 * @param after position of an event; the closer to the end it is, the less is read
 * @throws StoreUnavailable
 */
export const readUntilEnd = async function* (
  store: Pick<EventStore, 'readAll'>,
  after: bigint,
  categories?: readonly string[],
): AsyncGenerator<readonly RecordedEvent[]> {
  for (let end = after; ;) {
    let events: readonly RecordedEvent[];
    try {
      events = await store.readAll({ after: end, limit: PAGE, ...(categories && { categories }) });
    } catch (error) {
      if (error instanceof UnknownEvent || error instanceof DamagedEvent) return;
      throw error;
    }
    yield events;
    end = events.at(-1)?.position ?? end;
    if (events.length < PAGE) return;
  }
};

/**
 * The position of the last event of a log after a position, or that position if there is none. @throws StoreUnavailable
 */
export const findEndOfLog = async (store: Pick<EventStore, 'readAll'>, after: bigint): Promise<bigint> => {
  let end = after;
  for await (const events of readUntilEnd(store, after)) end = events.at(-1)?.position ?? end;
  return end;
};
