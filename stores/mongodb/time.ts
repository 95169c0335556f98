import { MongoServerError, type Db, type Document } from 'mongodb';

/** The server knows no such command. */
const COMMAND_NOT_FOUND = 59;

/** The time as the server tells it, milliseconds since 1970; null where it does not. */
export const serverTime = async (db: Db): Promise<number | null> => {
  const { localTime } = (await hello(db)) as { localTime?: unknown };
  return localTime instanceof Date ? localTime.getTime() : null;
};

/** Servers before 4.4.2 know it by its former name. */
const hello = async (db: Db): Promise<Document> => {
  const admin = db.admin();
  try {
    return await admin.command({ hello: 1 });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== COMMAND_NOT_FOUND) throw error;
    return admin.command({ isMaster: 1 });
  }
};
