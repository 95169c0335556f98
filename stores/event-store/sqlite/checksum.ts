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
 * Returns the CRC-32 of an event. It covers the payload as stored in the row, and the names of the stream and the type.
 * The row contains numbers instead of these names, but with the names, damage to a name is detected too.
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
 * Returns the value of the column `encoding`: the encoding in the lowest four bits, and the checksum above them. Rows
 * of earlier releases contain the encoding only, and need no migration.
 */
export const withChecksum = (encoding: number, checksum: number): number => encoding + ENCODINGS * checksum;

/** Splits the column `encoding` into its two parts. The checksum is null if the row has none. */
export const partsOf = (column: number): { encoding: number; checksum: number | null } => ({
  encoding: column % ENCODINGS,
  checksum: column < ENCODINGS ? null : Math.floor(column / ENCODINGS),
});
