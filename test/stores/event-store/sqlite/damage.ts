import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import Database from '../../../../stores/sqlite/driver.ts';
import type { RecordedEvent } from '../../../../domain/event.ts';
import type { EventStore } from '../../../../stores/event-store/port.ts';

/** Copies a closed database with one flipped bit. */
export const copyWithFlippedBit = (file: string, copy: string, bit: number): void => {
  for (const part of ['', '-wal', '-shm']) rmSync(copy + part, { force: true });
  const bytes = readFileSync(file);
  const byte = bit >> 3;
  bytes.writeUInt8(bytes.readUInt8(byte) ^ (1 << (bit & 7)), byte);
  writeFileSync(copy, bytes);
};

/** Converts a log to the format of the release without checksums. */
export const asWithoutChecksums = (file: string): void => {
  const connection = new Database(file);
  connection.exec('UPDATE events SET encoding = encoding % 16; DROP TABLE bounds; PRAGMA user_version = 1');
  connection.close();
};

/** Returns all events of a log up to the point where it can't be read, and the error. */
export const readUpToDamage = async (store: EventStore): Promise<{ events: RecordedEvent[]; error: unknown }> => {
  const events: RecordedEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.position ?? 0n;
    const page = await store.readAll({ after, limit: 50 }).catch((error: unknown) => error);
    if (!Array.isArray(page)) return { events, error: page };
    if (page.length === 0) return { events, error: null };
    events.push(...(page as RecordedEvent[]));
  }
};
