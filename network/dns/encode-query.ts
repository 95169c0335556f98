import { encode, DNSSEC_OK, RECURSION_DESIRED, CHECKING_DISABLED, type Packet } from 'dns-packet';
import { encodeName } from './names.ts';
import { HEADER_LENGTH } from './read-message.ts';
import type { DnsQuestion } from './message.ts';
import { TYPE_NUMBERS } from './types.ts';

/** Flags of a query. */
export interface QueryFlags {
  /** RD: request recursion; default: true */
  recursion?: boolean;
  /** DO: request the DNSSEC records (RFC 3225), and in AD whether the server has validated them */
  dnssec?: boolean;
  /** CD: request that the server skips DNSSEC validation */
  checkingDisabled?: boolean;
}

/** Maximum size of a datagram that no network fragments, bytes (DNS flag day 2020). */
const UDP_BYTES = 1_232;

const AUTHENTIC_DATA = 0x20;

/** An encoded question, before it gets an id. */
export interface EncodedQuestion {
  name: Buffer;
  type: number;
  flags: QueryFlags;
}

/** @returns null if the name is not a domain name */
export const encodeQuestion = ({ name, type }: DnsQuestion, asking: QueryFlags): EncodedQuestion | null => {
  const bytes = encodeName(name);
  return bytes && { name: bytes, type: TYPE_NUMBERS[type], flags: asking };
};

/** @param edns whether the message carries OPT (RFC 6891) */
export const encodeQuery = ({ name, type, flags }: EncodedQuestion, id: number, edns: boolean): Buffer => {
  const { recursion = true, dnssec = false, checkingDisabled = false } = flags;
  const around = encode({
    id,
    type: 'query',
    // AD in a query requests AD in the response (RFC 6840, 5.7).
    flags: (recursion ? RECURSION_DESIRED : 0) | (checkingDisabled ? CHECKING_DISABLED : 0) | AUTHENTIC_DATA,
    questions: [{ name: '.', type: `UNKNOWN_${type}` as 'A' }],
    additionals: edns
      ? [{ type: 'OPT', name: '.', udpPayloadSize: UDP_BYTES, flags: dnssec ? DNSSEC_OK : 0 } as OptAnswer]
      : [],
  });
  // dns-packet encodes the root, which our own name replaces: its codec knows neither escapes nor limits.
  return Buffer.concat([around.subarray(0, HEADER_LENGTH), name, around.subarray(HEADER_LENGTH + 1)]);
};

type OptAnswer = Extract<NonNullable<Packet['additionals']>[number], { type: 'OPT' }>;
