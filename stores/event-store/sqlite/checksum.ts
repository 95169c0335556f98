import { crc32 } from 'node:zlib';
import type { StoredPayload } from './encoding.ts';

/** A stored event, with everything that a reader gets of it. */
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
 * CRC-32 of an event: of its payload as stored in the row, and of its names rather than their numbers,
 * so a damaged dictionary is noticed too.
 */
export const checksumOf = (event: StoredEvent): number => {
  const { data, metadata } = event;
  const names = `${event.stream} ${event.category} ${event.type}`;
  const numbers = `${event.position} ${event.revision} ${event.encoding} ${typeof data} ${metadata?.length}`;
  return crc32(data, crc32(metadata ?? '', crc32(`${event.id} ${numbers} ${names}`)));
};

/** How many encodings there can be. */
const ENCODINGS = 16;

/**
 * The column `encoding` holds both: the encoding in its lowest four bits, the checksum above them. A value without a
 * checksum is a row of a release that stored none, so such rows need no migration.
 */
export const withChecksum = (encoding: number, checksum: number): number => encoding + ENCODINGS * checksum;

/** The two parts of the column; the checksum is null if none was stored. */
export const partsOf = (column: number): { encoding: number; checksum: number | null } => ({
  encoding: column % ENCODINGS,
  checksum: column < ENCODINGS ? null : Math.floor(column / ENCODINGS),
});
