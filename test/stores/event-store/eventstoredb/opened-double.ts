import type { RecordedEvent } from '../../../../domain/event.ts';
import {
  openEventStoreDb,
  type EventStoreDb,
  type EventStoreDbOptions,
} from '../../../../stores/event-store/eventstoredb/open.ts';
import type { EventStore } from '../../../../stores/event-store/port.ts';
import { startDouble, type Double } from '../../../servers/eventstoredb/server.ts';

/** Runs a test with a double and both logs on it, with short time limits for faults. */
export const withDouble =
  (run: (given: EventStoreDb & { server: Double }) => Promise<void>, options: EventStoreDbOptions = {}) =>
  async (): Promise<void> => {
    const server = await startDouble();
    const logs = openEventStoreDb(server.url, { patience: 100, ...options });
    try {
      await run({ ...logs, server });
    } finally {
      await logs.close();
      await server.close();
    }
  };

/** Subscribes in the background, and records the delivered events. */
export const followInBackground = (store: EventStore, after = 0n) => {
  const stopping = new AbortController();
  const seen: RecordedEvent[] = [];
  const ended = (async () => {
    for await (const events of store.subscribe({ after, signal: stopping.signal })) seen.push(...events);
  })();
  return {
    seen,
    stop: (): Promise<void> => {
      stopping.abort();
      return ended;
    },
  };
};
