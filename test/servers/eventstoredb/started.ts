import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startByCommand } from './command.ts';
import { startDoubleProcess, type ServerProcess } from './process.ts';

/** The EventStoreDB of a test. */
export interface StartedEventStoreDb {
  /** connection string */
  url: string;
  /**
   * the process of a server that belongs to this test, which the test can kill and restart; null for a shared server
   */
  own: ServerProcess | null;
  stop: () => Promise<void>;
}

const { EVENTSTOREDB_URL, EVENTSTOREDB_COMMAND } = process.env;

/** Whether tests run on a given server instead of the double. */
export const IS_EXTERNAL = EVENTSTOREDB_URL !== undefined || EVENTSTOREDB_COMMAND !== undefined;

/**
 * Starts a server that a test can end: with the program in `EVENTSTOREDB_COMMAND` if that is set, otherwise the double.
 *
 * @param folder the folder in which the server stores its events
 */
export const startOwnEventStoreDb = async (folder: string): Promise<ServerProcess> => {
  mkdirSync(folder, { recursive: true });
  if (EVENTSTOREDB_COMMAND !== undefined) return startByCommand(EVENTSTOREDB_COMMAND, folder);
  return startDoubleProcess(join(folder, 'events.jsonl'));
};

/** Returns the shared server in `EVENTSTOREDB_URL`, otherwise starts a server that belongs to this test. */
export const startEventStoreDb = async (folder: string): Promise<StartedEventStoreDb> => {
  if (EVENTSTOREDB_URL !== undefined) return { url: EVENTSTOREDB_URL, own: null, stop: async () => undefined };
  const own = await startOwnEventStoreDb(folder);
  return {
    url: `esdb://127.0.0.1:${own.port}?tls=false`,
    own,
    stop: () => own.end('SIGTERM'),
  };
};
