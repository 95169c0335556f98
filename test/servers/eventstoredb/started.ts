import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startByCommand } from './command.ts';
import { startDoubleProcess, type ServerProcess } from './process.ts';

/** The EventStoreDB of a test. */
export interface StartedEventStoreDb {
  /** connection string */
  url: string;
  /** of this test alone, to be ended and started again; null: it is there for others, and stays */
  own: ServerProcess | null;
  stop: () => Promise<void>;
}

const { EVENTSTOREDB_URL, EVENTSTOREDB_COMMAND } = process.env;

/** Whether tests run on a real server, or on what takes its place from outside. */
export const IS_GIVEN = EVENTSTOREDB_URL !== undefined || EVENTSTOREDB_COMMAND !== undefined;

/**
 * A server that a test can end: by the program that `EVENTSTOREDB_COMMAND` names, else the double.
 *
 * @param folder where its events are kept
 */
export const startOwnEventStoreDb = async (folder: string): Promise<ServerProcess> => {
  mkdirSync(folder, { recursive: true });
  if (EVENTSTOREDB_COMMAND !== undefined) return startByCommand(EVENTSTOREDB_COMMAND, folder);
  return startDoubleProcess(join(folder, 'events.jsonl'));
};

/** The server that `EVENTSTOREDB_URL` names, which stays; else one of its own. */
export const startEventStoreDb = async (folder: string): Promise<StartedEventStoreDb> => {
  if (EVENTSTOREDB_URL !== undefined) return { url: EVENTSTOREDB_URL, own: null, stop: async () => undefined };
  const own = await startOwnEventStoreDb(folder);
  return {
    url: `esdb://127.0.0.1:${own.port.toString()}?tls=false`,
    own,
    stop: () => own.end('SIGTERM'),
  };
};
