import type { EventStore } from '../../../../stores/event-store/port.ts';
import { connect } from '../../../../stores/eventstoredb/connection.ts';
import { openEventStoreDb, type EventStoreDbOptions } from '../../../../stores/event-store/eventstoredb/open.ts';
import type { OpenedEventStore } from '../../../contracts/event-store.ts';
import { ownPrefix } from '../../../servers/eventstoredb/leftovers.ts';
import { startDouble } from '../../../servers/eventstoredb/server.ts';
import { IS_EXTERNAL, startEventStoreDb } from '../../../servers/eventstoredb/started.ts';
import { temporaryDirectory } from '../../temporary.ts';

/** Returns the server for a test file: the server that `npm run test:cluster` specifies, otherwise a double. */
export const openServer = async (): Promise<{ url: string; real: boolean; close: () => Promise<void> }> => {
  if (!IS_EXTERNAL) return { ...(await startDouble()), real: false };
  const { directory, remove } = temporaryDirectory();
  const { url, stop } = await startEventStoreDb(directory);
  const close = async (): Promise<void> => {
    await stop();
    remove();
  };
  return { url, real: true, close };
};

/** Deletes streams of a test from a server that continues to run after the test. */
export const deleteStreams = async (url: string, streams: Iterable<string>): Promise<void> => {
  const connection = connect(url);
  for (const stream of streams) await connection.client.deleteStream(stream, connection.credentials);
  await connection.close();
};

/** Opens the main log of a new service on a server. `dispose` deletes the streams of the log. */
export const openMain = async (
  { url, real }: { url: string; real: boolean },
  options: EventStoreDbOptions = {},
): Promise<OpenedEventStore> => {
  const prefix = ownPrefix();
  const written = new Set<string>();
  const closings: (() => Promise<void>)[] = [];
  const again = async (): Promise<EventStore> => {
    const { main, close } = openEventStoreDb(url, { prefix, ...options });
    closings.push(close);
    return {
      ...main,
      append: async (stream, events, expected) => {
        const appended = await main.append(stream, events, expected);
        written.add(`${prefix}${stream}`);
        return appended;
      },
    };
  };
  return {
    store: await again(),
    again,
    dispose: async () => {
      for (const close of closings) await close();
      if (real) await deleteStreams(url, written);
    },
  };
};
