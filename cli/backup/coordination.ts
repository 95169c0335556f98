import { endAccess, REACTORS_HALTED } from '../../stores/coordination/port.ts';
import { openSqliteCoordination } from '../../stores/coordination/sqlite.ts';

/**
 * Tells a copy of `coordination.db` that its data was restored: automatic actions are halted, and nobody is signed in.
 * So it is also where the files of a backup are copied by hand.
 *
 * @param reason why automatic actions are halted, a sentence
 */
export const tellOfRestoring = async (file: string, reason: string): Promise<void> => {
  const coordination = openSqliteCoordination({ file });
  try {
    await coordination.write(REACTORS_HALTED, reason);
    await endAccess(coordination.entries);
  } finally {
    await coordination.close();
  }
};
