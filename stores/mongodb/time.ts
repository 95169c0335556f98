import { MongoServerError, type Db, type Document } from 'mongodb';

/** The server does not know the command. */
const COMMAND_NOT_FOUND = 59;

/** The server's time, milliseconds since 1970; null when it does not report it. */
export const serverTime = async (db: Db): Promise<number | null> => {
  const { localTime } = (await hello(db)) as { localTime?: unknown };
  return localTime instanceof Date ? localTime.getTime() : null;
};

/** Servers before 4.4.2 only know its old name. */
const hello = async (db: Db): Promise<Document> => {
  const admin = db.admin();
  try {
    return await admin.command({ hello: 1 });
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== COMMAND_NOT_FOUND) throw error;
    return admin.command({ isMaster: 1 });
  }
};
