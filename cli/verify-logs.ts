import { readLogId } from '../projections/engine/feed/log-marks.ts';
import { openSqliteEventStore } from '../stores/event-store/sqlite/open.ts';
import { checkDatabase } from '../stores/sqlite/check.ts';

/** A log that was read completely and is undamaged. */
export interface IntactLog {
  log_id: string;
  /** position of the last event, as a decimal number */
  position: string;
  events: number;
}

const PAGE = 1_000;

/**
 * Reads a log and its indexes from beginning to end.
 *
 * @throws DamagedEvent
 * @throws Error the file is damaged
 */
export const verifyLog = async (file: string, name: 'main' | 'results'): Promise<IntactLog> => {
  checkDatabase(file);
  const log = await openSqliteEventStore({ file, name, mode: 'reader' });
  try {
    const whole = { log_id: await readLogId(log), position: 0n, events: 0 };
    for (;;) {
      const page = await log.readAll({ after: whole.position, limit: PAGE });
      const last = page.at(-1);
      if (!last) return { ...whole, position: whole.position.toString() };
      whole.position = last.position;
      whole.events += page.length;
    }
  } finally {
    await log.close();
  }
};
