import { DamagedEvent, UnknownEvent, type EventStore } from '../../../stores/event-store/port.ts';

const PAGE = 1_000;

/**
 * The position of the last event of a log that can be read. It only reads, so it also works where nothing can be
 * appended.
 *
 * @param after position of an event; the closer to the end it is, the less is read
 * @returns the same position if nothing comes after it
 * @throws StoreUnavailable
 */
export const endOfLog = async (store: Pick<EventStore, 'readAll'>, after: bigint): Promise<bigint> => {
  for (let end = after; ;) {
    try {
      const events = await store.readAll({ after: end, limit: PAGE });
      end = events.at(-1)?.position ?? end;
      if (events.length < PAGE) return end;
    } catch (error) {
      // No read model gets past such an event.
      if (error instanceof UnknownEvent || error instanceof DamagedEvent) return end;
      throw error;
    }
  }
};
