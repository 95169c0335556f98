import { openSqliteReadStore } from '../../../../stores/read-store/sqlite/open.ts';
import { temporaryDirectory } from '../../temporary.ts';
import { largestDocumentContract } from '../largest.ts';

largestDocumentContract('SQLite', async () => {
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
