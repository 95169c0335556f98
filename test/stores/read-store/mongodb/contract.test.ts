import { openMongoDb } from '../../../../stores/mongodb/open.ts';
import { openMongoReadStore } from '../../../../stores/read-store/mongodb/open.ts';
import type { ReadStore } from '../../../../stores/read-store/port.ts';
import { readStoreContract } from '../../../contracts/read-store.ts';
import { skippedWithoutMongoDb, startMongoDb, testDatabase } from '../../../servers/mongodb/server.ts';

/** Opens the read store over a separate connection, as another process does. */
const open = (url: string): ReadStore => {
  const mongo = openMongoDb(url);
  const store = openMongoReadStore(mongo);
  return {
    ...store,
    close: async () => {
      await store.close();
      await mongo.close();
    },
  };
};

if (!skippedWithoutMongoDb()) {
  readStoreContract(
    'MongoDB',
    async () => {
      const server = await startMongoDb();
      const database = testDatabase(server);
      const store = open(database.url);
      return {
        store,
        again: async () => open(database.url),
        dispose: async () => {
          await store.close();
          await database.drop();
          await server.stop();
        },
      };
    },
    { durable: true },
  );
}
