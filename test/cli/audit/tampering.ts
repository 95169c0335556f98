import Database from '../../../stores/sqlite/driver.ts';
import { checksumOf, withChecksum, type StoredEvent } from '../../../stores/event-store/sqlite/checksum.ts';

interface Row {
  position: number;
  stream: number;
  revision: number;
  kind: number;
  encoding: number;
  id: Buffer;
  data: string;
  metadata: string;
}

/**
 * Opens the file of a log as an attacker who knows its format. Except for `damage`, every function writes matching
 * checksums, so readers do not notice the change.
 */
export const openTampering = (file: string) => {
  const database = new Database(file);
  const rowAt = (position: number): Row =>
    database.prepare<[number], Row>('SELECT * FROM events WHERE position = ?').get(position) as Row;
  const put = (row: Row): void => {
    const name = database.prepare<[number], string>('SELECT name FROM streams WHERE stream = ?').pluck();
    const kind = database.prepare<[number], { category: string; type: string }>('SELECT * FROM kinds WHERE kind = ?');
    const { category = '', type = '' } = kind.get(row.kind) ?? {};
    const encoding = row.encoding % 16;
    const id = row.id.toString('hex');
    const event: StoredEvent = { ...row, encoding, id, stream: name.get(row.stream) ?? '', category, type };
    database
      .prepare('INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        row.position,
        row.stream,
        row.revision,
        row.kind,
        withChecksum(encoding, checksumOf(event)),
        row.id,
        row.data,
        row.metadata,
      );
  };
  return {
    change: (position: number, changes: Partial<Row>): void => {
      put({ ...rowAt(position), ...changes });
    },
    dataAt: (position: number): string => rowAt(position).data,
    /** Swaps two events. Each must be the only event of its stream. */
    swap: (one: number, other: number): void => {
      const [first, second] = [rowAt(one), rowAt(other)];
      database.prepare('DELETE FROM events WHERE position IN (?, ?)').run(one, other);
      put({ ...first, position: other });
      put({ ...second, position: one });
    },
    /** Removes an event, and renumbers the events after it so that no gap remains. */
    remove: (position: number): void => {
      const last = database.prepare<[], number>('SELECT max(position) FROM events').pluck().get() ?? 0;
      const rest = Array.from({ length: last - position }, (_, index) => rowAt(position + 1 + index));
      database.prepare('DELETE FROM events WHERE position >= ?').run(position);
      for (const row of rest) put({ ...row, position: row.position - 1 });
      database.prepare("UPDATE sqlite_sequence SET seq = ? WHERE name = 'events'").run(last - 1);
    },
    /** Changes one byte of the row without updating its checksum, like a faulty disk. */
    damage: (position: number): void => {
      const { data } = rowAt(position);
      database.prepare('UPDATE events SET data = ? WHERE position = ?').run(
        data.replace(/[0-9]/, (digit) => (digit === '1' ? '2' : '1')),
        position,
      );
    },
    close: (): void => {
      database.close();
    },
  };
};
