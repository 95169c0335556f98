import { readerOf } from './bytes.ts';
import type { ReadEnd, Wire } from './wire.ts';

/** Types of records (RFC 8446, 5.1; heartbeat: RFC 6520). */
export const RECORDS = {
  changeCipherSpec: 20,
  alert: 21,
  handshake: 22,
  applicationData: 23,
  heartbeat: 24,
} as const;

/** Maximum size of the content of a record, in bytes: the limit of encrypted records (RFC 5246, 6.2). */
const MAX_LENGTH = 16_384 + 2_048;
const HEADER = 5;
/** Number of bytes that are reported of a response that is not TLS. */
const SHOWN = 64;

/** A record of the server. `garbage` contains the first bytes of something that is not a record. */
export type ReceivedRecord =
  | { kind: 'record'; type: number; version: number; body: Buffer }
  | { kind: 'garbage'; bytes: Buffer }
  | { kind: ReadEnd };

const isRecord = (type: number, version: number, length: number): boolean =>
  type >= RECORDS.changeCipherSpec && type <= RECORDS.heartbeat && version >> 8 === 3 && length <= MAX_LENGTH;

/** Reads the next record. @param patience timeout of its header, and again of its content, in milliseconds */
export const readRecord = async (wire: Wire, patience: number): Promise<ReceivedRecord> => {
  const head = await wire.read(HEADER, patience);
  if (typeof head === 'string') {
    const begun = wire.peek(SHOWN);
    return begun.length > 0 ? { kind: 'garbage', bytes: Buffer.from(begun) } : { kind: head };
  }
  const reader = readerOf(head);
  const [type, version, length] = [reader.number(1), reader.number(2), reader.number(2)];
  if (!isRecord(type, version, length))
    return { kind: 'garbage', bytes: Buffer.concat([head, wire.peek(SHOWN - HEADER)]) };
  const body = await wire.read(length, patience);
  return typeof body === 'string' ? { kind: body } : { kind: 'record', type, version, body };
};

/** Encodes a record. @param body content of at most 16 KiB */
export const record = (type: number, version: number, body: Buffer): Buffer => {
  const bytes = Buffer.alloc(HEADER + body.length);
  bytes.writeUInt8(type, 0);
  bytes.writeUInt16BE(version, 1);
  bytes.writeUInt16BE(body.length, 3);
  body.copy(bytes, HEADER);
  return bytes;
};
