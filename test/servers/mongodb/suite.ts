import type { Test } from 'uvu';
import { openMongoDb } from '../../../stores/mongodb/open.ts';
import type { MongoDb } from '../../../stores/mongodb/database.ts';
import { startMongoDb, testDatabase } from './server.ts';

/**
 * Opens a database for all tests of a suite before its first test.
 *
 * @returns a function that returns the database after the first test has begun
 */
export const openForSuite = (test: Test): (() => MongoDb) => {
  const leave: (() => Promise<unknown>)[] = [];
  let opened: MongoDb | null = null;
  test.before(async () => {
    const server = await startMongoDb();
    const database = testDatabase(server);
    const mongo = openMongoDb(database.url);
    leave.push(
      () => mongo.close(),
      () => database.drop(),
      () => server.stop(),
    );
    opened = mongo;
  });
  test.after(async () => {
    for (const step of leave) await step();
  });
  return () => {
    if (!opened) throw new Error('No specification has begun.');
    return opened;
  };
};
