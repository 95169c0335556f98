import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startByCommand } from './command.ts';
import { startDoubleProcess, type ServerProcess } from './process.ts';

/** The EventStoreDB of a test. */
export interface StartedEventStoreDb {
  /** connection string */
  url: string;
  /** the process, if the server belongs to this test and can be killed and restarted; null: it is shared, and stays */
  own: ServerProcess | null;
  stop: () => Promise<void>;
}

const { EVENTSTOREDB_URL, EVENTSTOREDB_COMMAND } = process.env;

/** Whether tests run on a given server instead of the double. */
export const IS_GIVEN = EVENTSTOREDB_URL !== undefined || EVENTSTOREDB_COMMAND !== undefined;

/**
 * A server that a test can end: started by the program in `EVENTSTOREDB_COMMAND`, otherwise the double.
 *
 * @param folder where its events are stored
 */
export const startOwnEventStoreDb = async (folder: string): Promise<ServerProcess> => {
  mkdirSync(folder, { recursive: true });
  if (EVENTSTOREDB_COMMAND !== undefined) return startByCommand(EVENTSTOREDB_COMMAND, folder);
  return startDoubleProcess(join(folder, 'events.jsonl'));
};

/** The server in `EVENTSTOREDB_URL`, which stays; otherwise one of this test's own. */
export const startEventStoreDb = async (folder: string): Promise<StartedEventStoreDb> => {
  if (EVENTSTOREDB_URL !== undefined) return { url: EVENTSTOREDB_URL, own: null, stop: async () => undefined };
  const own = await startOwnEventStoreDb(folder);
  return {
    url: `esdb://127.0.0.1:${own.port}?tls=false`,
    own,
    stop: () => own.end('SIGTERM'),
  };
};
