import { StoreUnavailable, WrongExpectedRevision, type EventStore } from '../../../stores/event-store/port.ts';

/**
 * Wraps a store so that it forgets earlier ids for expected revision "any", as a restarted EventStoreDB does. The
 * wrapped store stores repeated events again.
 */
export const forgetfulStore = (store: EventStore): EventStore => ({
  ...store,
  append: async (stream, events, expected) => {
    if (expected !== 'any') return store.append(stream, events, expected);
    for (;;) {
      const [last] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
      try {
        return await store.append(stream, events, last?.revision ?? 'no_stream');
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision)) throw error;
      }
    }
  },
});

/** Wraps a store so that its responses to appends can be lost, although the events are stored. */
export const responseLosingStore = (store: EventStore): EventStore & { lose: (responses: number) => void } => {
  let lost = 0;
  return {
    ...store,
    append: async (...append) => {
      const appended = await store.append(...append);
      if (lost-- > 0) throw new StoreUnavailable('The response was lost.');
      return appended;
    },
    lose: (responses) => {
      lost = responses;
    },
  };
};
