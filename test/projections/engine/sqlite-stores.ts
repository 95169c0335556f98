import { join } from 'node:path';
import { openSqliteCoordination } from '../../../stores/coordination/sqlite.ts';
import { openSqliteEventStore } from '../../../stores/event-store/sqlite/open.ts';
import { openSqliteReadStore } from '../../../stores/read-store/sqlite/open.ts';
import type { Stores } from './engine.ts';

/** Opens separate connections to the stores in a directory, as each thread and each process does. */
export const openSqliteStores = async (
  directory: string,
  mode: 'reader' | 'appender',
): Promise<Stores & { close: () => Promise<void> }> => {
  const open = (name: 'main' | 'results') => openSqliteEventStore({ file: join(directory, `${name}.db`), name, mode });
  const main = await open('main');
  const results = await open('results');
  const readStore = openSqliteReadStore({ directory: join(directory, 'read-models'), mode: 'writer' });
  const coordination = openSqliteCoordination({ file: join(directory, 'coordination.db') });
  return {
    main,
    results,
    readStore,
    coordination,
    close: async () => {
      for (const store of [readStore, coordination, main, results]) await store.close();
    },
  };
};
