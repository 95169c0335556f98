import { createHash } from 'node:crypto';
import { jcs } from '../canonical-json.ts';
import type { RecordedEvent } from '../event.ts';

/**
 * The head of a log: the number of its events, and a hash over all of them in order. If a copy of the head is stored
 * elsewhere, the copy can later prove that none of these events was changed, removed or reordered
 * (docs/reference/audit.md#head-of-the-log).
 */
export interface LogHead {
  events: number;
  /** SHA-256, 32 bytes */
  hash: Buffer;
}

/** The head of an empty log. */
export const NO_EVENTS: LogHead = { events: 0, hash: Buffer.alloc(32) };

/**
 * Returns the text that is hashed for an event: the complete stored event without upcasting. Its sealed texts remain
 * sealed. The text does not include the position, because export and import change positions.
 */
export const hashedText = ({ stream, revision, id, type, data, metadata }: RecordedEvent): string =>
  `{"data":${jcs(data)},"id":${jcs(id)},"metadata":${jcs(metadata)},` +
  `"revision":${revision},"stream":${jcs(stream)},"type":${jcs(type)}}`;

/** Returns the head after one more event: SHA-256 of the previous hash (32 bytes) and {@link hashedText} in UTF-8. */
export const nextHead = ({ events, hash }: LogHead, event: RecordedEvent): LogHead => ({
  events: events + 1,
  hash: createHash('sha256').update(hash).update(hashedText(event)).digest(),
});

/** Formats a head as `{events}:{hash in hexadecimal}`. */
export const headText = ({ events, hash }: LogHead): string => `${events}:${hash.toString('hex')}`;

/** Parses the text of a head. @returns null if the text is invalid, or if the head has no events */
export const parseHead = (text: string): LogHead | null => {
  const [, events, hash = ''] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  return events === undefined ? null : { events: Number(events), hash: Buffer.from(hash, 'hex') };
};
