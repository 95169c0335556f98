import Database from './driver.ts';

/**
 * Verifies the pages, rows and indexes of a database.
 *
 * @throws Error the database is damaged; the message is a sentence that names the file
 */
export const checkDatabase = (file: string): void => {
  try {
    const connection = new Database(file, { readonly: true, fileMustExist: true });
    try {
      const found = connection.pragma('integrity_check(1)', { simple: true }) as string;
      if (found !== 'ok') throw new Error(found.replace(/^\*+.*\*+\s*/, ''));
    } finally {
      connection.close();
    }
  } catch (error) {
    throw new Error(`${file} is damaged: ${(error as Error).message}.`, { cause: error });
  }
};
