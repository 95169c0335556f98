import { openSqliteReadStore } from '../../../stores/read-store/sqlite/open.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import { temporaryDirectory } from '../../stores/temporary.ts';
import { setAsideContract } from './set-aside.ts';

setAsideContract('memory', async () => {
  const store = createMemoryReadStore();
  return { store, dispose: () => store.close() };
});

setAsideContract('SQLite', async () => {
  const { directory, remove } = temporaryDirectory();
  const store = openSqliteReadStore({ directory, mode: 'writer' });
  return {
    store,
    dispose: async () => {
      await store.close();
      remove();
    },
  };
});
