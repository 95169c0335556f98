import { endAllAccess, REACTORS_HALTED } from '../../stores/coordination/port.ts';
import { openSqliteCoordination } from '../../stores/coordination/sqlite.ts';

/**
 * Marks a copy of `coordination.db` as restored: reactors are halted and all sessions have ended. The copy is marked
 * before it becomes part of a backup, so the mark takes effect even if the files are copied back by hand.
 *
 * @param reason why automatic actions are halted, as a sentence
 */
export const markRestored = async (file: string, reason: string): Promise<void> => {
  const coordination = openSqliteCoordination({ file });
  try {
    await coordination.write(REACTORS_HALTED, reason);
    await endAllAccess(coordination.entries);
  } finally {
    await coordination.close();
  }
};
