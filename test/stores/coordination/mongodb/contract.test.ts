import { openMongoCoordination } from '../../../../stores/coordination/mongodb/open.ts';
import type { Coordination } from '../../../../stores/coordination/port.ts';
import { openMongoDb } from '../../../../stores/mongodb/open.ts';
import { coordinationContract } from '../../../contracts/coordination.ts';
import { skippedWithoutMongoDb, startMongoDb, testDatabase } from '../../../servers/mongodb/server.ts';

/** Opens the coordination over a separate connection, as another process does. */
const open = (url: string): Coordination => {
  const mongo = openMongoDb(url);
  const coordination = openMongoCoordination(mongo);
  return {
    ...coordination,
    close: async () => {
      await coordination.close();
      await mongo.close();
    },
  };
};

if (!skippedWithoutMongoDb()) {
  coordinationContract(
    'MongoDB',
    async () => {
      const server = await startMongoDb();
      const database = testDatabase(server);
      const coordination = open(database.url);
      return {
        coordination,
        again: async () => open(database.url),
        dispose: async () => {
          await coordination.close();
          await database.drop();
          await server.stop();
        },
      };
    },
    { durable: true },
  );
}
