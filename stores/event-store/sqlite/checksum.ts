import { crc32 } from 'node:zlib';
import type { StoredPayload } from './encoding.ts';

/** An event as it is stored, with all that a reader is told of it. */
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
 * CRC-32 of an event: of its payload as it stands in the row, and of its names themselves instead of their numbers,
 * so that a damaged dictionary does not go unnoticed either.
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
 * The column `encoding` holds both: the encoding in its last four bits, above them the checksum. Without one it is
 * the row of a release that stored no checksums, which costs nothing to be brought forward.
 */
export const withChecksum = (encoding: number, checksum: number): number => encoding + ENCODINGS * checksum;

/** The two parts of the column; the checksum is null where none was stored. */
export const partsOf = (column: number): { encoding: number; checksum: number | null } => ({
  encoding: column % ENCODINGS,
  checksum: column < ENCODINGS ? null : Math.floor(column / ENCODINGS),
});
