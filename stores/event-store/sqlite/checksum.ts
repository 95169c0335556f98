import { crc32 } from 'node:zlib';
import type { StoredPayload } from './encoding.ts';

/** A stored event, with all fields that readers receive. */
export interface StoredEvent extends StoredPayload {
  position: number;
  stream: string;
  revision: number;
  category: string;
  type: string;
  /** 32 hexadecimal digits */
  id: string;
}

/**
 * CRC-32 of an event: of its payload as stored in the row, and of the names instead of their numbers, so that a damaged
 * dictionary is noticed too.
 */
export const checksumOf = (event: StoredEvent): number => {
  const { data, metadata } = event;
  const names = `${event.stream} ${event.category} ${event.type}`;
  const numbers = `${event.position} ${event.revision} ${event.encoding} ${typeof data} ${metadata?.length}`;
  return crc32(data, crc32(metadata ?? '', crc32(`${event.id} ${numbers} ${names}`)));
};

/** Number of possible encodings. */
const ENCODINGS = 16;

/**
 * The column `encoding` contains both: the encoding in its lowest four bits, the checksum above them. Rows of a release
 * without checksums have none, so they need no migration.
 */
export const withChecksum = (encoding: number, checksum: number): number => encoding + ENCODINGS * checksum;

/** The two parts of the column; the checksum is null if none was stored. */
export const partsOf = (column: number): { encoding: number; checksum: number | null } => ({
  encoding: column % ENCODINGS,
  checksum: column < ENCODINGS ? null : Math.floor(column / ENCODINGS),
});
