import { createHash } from 'node:crypto';
import { jcs } from '../canonical-json.ts';
import type { RecordedEvent } from '../event.ts';

/**
 * The head of a log: the number of its events, and a hash over all of them in order. A copy stored elsewhere can prove
 * later that none of these events was changed, removed or reordered (docs/reference/audit.md#head-of-the-log).
 */
export interface LogHead {
  events: number;
  /** SHA-256, 32 bytes */
  hash: Buffer;
}

/** The head before the first event. */
export const NO_EVENTS: LogHead = { events: 0, hash: Buffer.alloc(32) };

/**
 * The hashed text of an event: the complete stored event without upcasting, with its sealed texts in sealed form. It does
 * not include the position, since export and import change it.
 */
export const hashedText = ({ stream, revision, id, type, data, metadata }: RecordedEvent): string =>
  `{"data":${jcs(data)},"id":${jcs(id)},"metadata":${jcs(metadata)},` +
  `"revision":${revision},"stream":${jcs(stream)},"type":${jcs(type)}}`;

/** The head after one more event: SHA-256 of the previous hash (32 bytes) and {@link hashedText} in UTF-8. */
export const nextHead = ({ events, hash }: LogHead, event: RecordedEvent): LogHead => ({
  events: events + 1,
  hash: createHash('sha256').update(hash).update(hashedText(event)).digest(),
});

/** `{events}:{hash in hexadecimal}` */
export const headText = ({ events, hash }: LogHead): string => `${events}:${hash.toString('hex')}`;

/** @returns null if the text is not the head of a log with events */
export const parseHead = (text: string): LogHead | null => {
  const [, events, hash = ''] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  return events === undefined ? null : { events: Number(events), hash: Buffer.from(hash, 'hex') };
};
