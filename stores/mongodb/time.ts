import { MongoServerError, type Db, type Document } from 'mongodb';

/** Error code of a server that does not know the command. */
const COMMAND_NOT_FOUND = 59;

/** Returns the server's time, milliseconds since 1970; null if the server does not report it. */
export const serverTime = async (db: Db): Promise<number | null> => {
  const { localTime } = (await hello(db)) as { localTime?: unknown };
  return localTime instanceof Date ? localTime.getTime() : null;
};

/** Runs the command `hello`. Servers before 4.4.2 know it only by its former name, `isMaster`. */
const hello = async (db: Db): Promise<Document> => {
  const admin = db.admin();
  try {
    return await admin.command({ hello: 1 });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== COMMAND_NOT_FOUND) throw error;
    return admin.command({ isMaster: 1 });
  }
};
