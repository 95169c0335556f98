import { Cursor } from './cursor.ts';
import type { DnsRecord, ExtendedError, DnsMessage } from './message.ts';
import { emptyNameTable } from './names.ts';
import { readRdata } from './rdata.ts';
import { rcodeName } from './types.ts';

/** The header of a message (RFC 1035, 4.1.1). */
export interface DnsMessageHeader {
  id: number;
  response: boolean;
  opcode: number;
  /** without the upper bits that EDNS adds */
  rcode: number;
  truncated: boolean;
  /** number of questions, answers, authorities and additionals */
  counts: readonly [number, number, number, number];
}

/** Size of a header, in bytes. */
export const HEADER_LENGTH = 12;

const RESPONSE = 0x8000;
const AUTHORITATIVE = 0x0400;
const TRUNCATED = 0x0200;
const RECURSION_AVAILABLE = 0x0080;
const AUTHENTICATED = 0x0020;

/**
 * Reads the header of a message.
 *
 * @returns null if the message is shorter than a header
 */
export const readMessageHeader = (bytes: Buffer): DnsMessageHeader | null => {
  if (bytes.length < HEADER_LENGTH) return null;
  const flags = bytes.readUInt16BE(2);
  const count = (index: number): number => bytes.readUInt16BE(4 + 2 * index);
  return {
    id: bytes.readUInt16BE(0),
    response: (flags & RESPONSE) !== 0,
    opcode: (flags >> 11) & 0xf,
    rcode: flags & 0xf,
    truncated: (flags & TRUNCATED) !== 0,
    counts: [count(0), count(1), count(2), count(3)],
  };
};

const OPT = 41;
/** EDNS option with an extended error (RFC 8914). */
const EXTENDED_ERROR = 15;

/**
 * Reads a whole response. Records of unknown types are skipped by their length.
 *
 * @throws MalformedDnsMessage
 */
export const readMessage = (bytes: Buffer, { counts, rcode }: DnsMessageHeader): DnsMessage => {
  const [questions, answers, authorities, additionals] = counts;
  const flags = bytes.readUInt16BE(2);
  const cursor = new Cursor(bytes, emptyNameTable(), HEADER_LENGTH);
  for (let left = questions; left > 0; left--) {
    cursor.name();
    cursor.take(4);
  }
  let extendedRcode = 0;
  const extendedErrors: ExtendedError[] = [];
  const section = (count: number): DnsRecord[] => {
    const records: DnsRecord[] = [];
    for (let left = count; left > 0; left--) {
      const name = cursor.name();
      const type = cursor.u16();
      const klass = cursor.u16();
      const ttl = cursor.u32();
      const data = cursor.part(cursor.u16());
      if (type === OPT) {
        // In an OPT record, the class field is a size, and the TTL field contains further bits of the RCODE (RFC 6891,
        // 6.1.3).
        extendedRcode = ttl >>> 24;
        extendedErrors.push(...readOptions(data));
      } else records.push({ name, class: klass, ttl, ...readRdata(type, data) });
    }
    return records;
  };
  const sections = { answers: section(answers), authorities: section(authorities), additionals: section(additionals) };
  return {
    rcode: rcodeName((extendedRcode << 4) | rcode),
    authoritative: (flags & AUTHORITATIVE) !== 0,
    recursionAvailable: (flags & RECURSION_AVAILABLE) !== 0,
    authenticated: (flags & AUTHENTICATED) !== 0,
    ...sections,
    extendedErrors,
  };
};

const readOptions = (data: Cursor): ExtendedError[] => {
  const errors: ExtendedError[] = [];
  while (data.left > 0) {
    const code = data.u16();
    const option = data.part(data.u16());
    if (code === EXTENDED_ERROR) errors.push({ code: option.u16(), text: textOf(option.rest()) });
  }
  return errors;
};

/** Shortens a server's text and removes line breaks and direction marks, so that the text fits into a sentence. */
const textOf = (bytes: Buffer): string =>
  bytes
    .toString('utf8', 0, 200)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]+/gu, ' ')
    .trim();
