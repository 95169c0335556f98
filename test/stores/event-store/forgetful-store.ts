import { StoreUnavailable, WrongExpectedRevision, type EventStore } from '../../../stores/event-store/port.ts';

/**
 * A store that forgets earlier ids for expected revision "any", like a restarted EventStoreDB: it stores them again.
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

/** A store whose responses to appends can be lost, although the events are stored. */
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
