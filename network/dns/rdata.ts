import * as dnsPacket from 'dns-packet';
import type { Cursor } from './cursor.ts';
import { MalformedDnsMessage } from './malformed.ts';
import { readSvcb, type Svcb } from './svcb.ts';
import { typeName } from './types.ts';

export interface Mx {
  preference: number;
  exchange: string;
}
export interface Srv {
  priority: number;
  weight: number;
  port: number;
  target: string;
}
export interface Soa {
  mname: string;
  /** a mailbox written as a domain name; dots in its local part are escaped */
  rname: string;
  serial: number;
  refresh: number;
  retry: number;
  expire: number;
  minimum: number;
}
export interface Naptr {
  order: number;
  preference: number;
  flags: Buffer;
  services: Buffer;
  regexp: Buffer;
  replacement: string;
}
export interface Caa {
  flags: number;
  tag: Buffer;
  value: Buffer;
}
export interface Ds {
  keyTag: number;
  algorithm: number;
  digestType: number;
  digest: Buffer;
}
export interface Dnskey {
  flags: number;
  protocol: number;
  algorithm: number;
  key: Buffer;
}
export interface Sshfp {
  algorithm: number;
  hash: number;
  fingerprint: Buffer;
}
export interface Tlsa {
  usage: number;
  selector: number;
  matchingType: number;
  certificate: Buffer;
}

/** The data of a record. Names are in presentation format, addresses are text, character strings are bytes. */
export type Rdata =
  | { type: 'A' | 'AAAA'; data: string }
  | { type: 'CNAME' | 'DNAME' | 'NS' | 'PTR'; data: string }
  | { type: 'CAA'; data: Caa }
  | { type: 'DNSKEY'; data: Dnskey }
  | { type: 'DS'; data: Ds }
  | { type: 'HTTPS' | 'SVCB'; data: Svcb }
  | { type: 'MX'; data: Mx }
  | { type: 'NAPTR'; data: Naptr }
  | { type: 'SOA'; data: Soa }
  | { type: 'SRV'; data: Srv }
  | { type: 'SSHFP'; data: Sshfp }
  | { type: 'TLSA'; data: Tlsa }
  | { type: 'TXT'; data: Buffer[] }
  /** `type` is `TYPE` followed by a number; the data is the raw bytes */
  | { type: `TYPE${number}` | 'RRSIG'; data: Buffer };

/**
 * dns-packet's codec for the data of one record type; the data includes its two length bytes. The types of dns-packet
 * don't declare the codec.
 */
interface Codec {
  decode: ((bytes: Buffer, offset: number) => unknown) & { bytes: number };
}
const codecOf = (dnsPacket as unknown as { record: (type: string) => Codec }).record;

/**
 * Reads data that contains no names, with dns-packet. Throws if the decoded data does not fill the length of the
 * record.
 */
const byPacket = (type: string, cursor: Cursor): unknown => {
  const { decode } = codecOf(type);
  const { at, end, bytes } = cursor;
  const data = decode(bytes.subarray(0, end), at - LENGTH_BYTES);
  if (decode.bytes !== end - at + LENGTH_BYTES) throw new RangeError('The data has a different length.');
  cursor.at = end;
  return data;
};
const LENGTH_BYTES = 2;

const mx = (from: Cursor): Mx => ({ preference: from.u16(), exchange: from.name() });
const srv = (from: Cursor): Srv => ({
  priority: from.u16(),
  weight: from.u16(),
  port: from.u16(),
  target: from.name(),
});
const soa = (from: Cursor): Soa => ({
  mname: from.name(),
  rname: from.name(),
  serial: from.u32(),
  refresh: from.u32(),
  retry: from.u32(),
  expire: from.u32(),
  minimum: from.u32(),
});
const naptr = (from: Cursor): Naptr => ({
  order: from.u16(),
  preference: from.u16(),
  flags: from.string(),
  services: from.string(),
  regexp: from.string(),
  replacement: from.name(),
});
const caa = (from: Cursor): Caa => ({ flags: from.u8(), tag: from.string(), value: from.rest() });
const dnskey = (from: Cursor): Dnskey => ({
  flags: from.u16(),
  protocol: from.u8(),
  algorithm: from.u8(),
  key: from.rest(),
});
const sshfp = (from: Cursor): Sshfp => ({ algorithm: from.u8(), hash: from.u8(), fingerprint: from.rest() });

/**
 * Reads the data of a record. dns-packet decodes only simple types without names, for these reasons:
 * - In names, it decodes bytes as UTF-8 and does not escape dots within labels.
 * - It fails on DNSKEY records of another protocol and on SSHFP records with newer hashes.
 * - It decodes the strings of CAA and NAPTR records as UTF-8.
 *
 * @throws MalformedDnsMessage
 */
export const readRdata = (type: number, cursor: Cursor): Rdata => {
  const name = typeName(type);
  let rdata: Rdata;
  try {
    rdata = rdataOf(name, cursor);
  } catch (error) {
    throw new MalformedDnsMessage(
      `the data of its ${name} record ${error instanceof MalformedDnsMessage ? `is invalid: ${error.message}` : 'has the wrong length'}`,
    );
  }
  if (cursor.left > 0) throw new MalformedDnsMessage(`the data of its ${name} record is too long`);
  return rdata;
};

const rdataOf = (type: string, from: Cursor): Rdata => {
  switch (type) {
    case 'A':
    case 'AAAA':
      return { type, data: byPacket(type, from) as string };
    case 'CNAME':
    case 'DNAME':
    case 'NS':
    case 'PTR':
      return { type, data: from.name() };
    case 'CAA':
      return { type, data: caa(from) };
    case 'DNSKEY':
      return { type, data: dnskey(from) };
    case 'DS':
      return { type, data: byPacket(type, from) as Ds };
    case 'HTTPS':
    case 'SVCB':
      return { type, data: readSvcb(from) };
    case 'MX':
      return { type, data: mx(from) };
    case 'NAPTR':
      return { type, data: naptr(from) };
    case 'SOA':
      return { type, data: soa(from) };
    case 'SRV':
      return { type, data: srv(from) };
    case 'SSHFP':
      return { type, data: sshfp(from) };
    case 'TLSA':
      return { type, data: byPacket(type, from) as Tlsa };
    case 'TXT':
      return { type, data: byPacket(type, from) as Buffer[] };
    default:
      return { type: type as 'RRSIG', data: from.rest() };
  }
};
