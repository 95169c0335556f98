import { openMongoDb } from '../../../stores/mongodb/open.ts';
import { openMongoReadStore } from '../../../stores/read-store/mongodb/open.ts';
import { skippedWithoutMongoDb, startMongoDb, testDatabase } from '../../servers/mongodb/server.ts';
import { setAsideContract } from './set-aside.ts';

if (!skippedWithoutMongoDb()) {
  setAsideContract('MongoDB', async () => {
    const server = await startMongoDb();
    const database = testDatabase(server);
    const mongo = openMongoDb(database.url);
    const store = openMongoReadStore(mongo);
    return {
      store,
      dispose: async () => {
        await store.close();
        await mongo.close();
        await database.drop();
        await server.stop();
      },
    };
  });
}
