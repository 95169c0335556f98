import { encode, DNSSEC_OK, RECURSION_DESIRED, CHECKING_DISABLED, type Packet } from 'dns-packet';
import { encodeName } from './names.ts';
import { HEADER_LENGTH } from './read-message.ts';
import type { DnsQuestion } from './message.ts';
import { TYPE_NUMBERS } from './types.ts';

/** Flags of a query. */
export interface QueryFlags {
  /** RD: whether to request recursion; default: true */
  recursion?: boolean;
  /**
   * DO: whether to request DNSSEC records (RFC 3225); the AD flag of the response then states whether the server has
   * validated them
   */
  dnssec?: boolean;
  /** CD: whether to ask the server to skip DNSSEC validation */
  checkingDisabled?: boolean;
}

/**
 * Maximum size of a response over UDP, in bytes. Networks do not fragment datagrams of this size (DNS flag day 2020).
 */
const UDP_BYTES = 1_232;

const AUTHENTIC_DATA = 0x20;

/** An encoded question, without the id of a query. */
export interface EncodedQuestion {
  name: Buffer;
  type: number;
  flags: QueryFlags;
}

/**
 * Encodes a question.
 *
 * @returns null if the name is not a domain name
 */
export const encodeQuestion = ({ name, type }: DnsQuestion, asking: QueryFlags): EncodedQuestion | null => {
  const bytes = encodeName(name);
  return bytes && { name: bytes, type: TYPE_NUMBERS[type], flags: asking };
};

/**
 * Encodes a whole query.
 *
 * @param edns whether the message carries an OPT record (RFC 6891)
 */
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
  // dns-packet supports neither escapes nor length limits in names. So it encodes the root as the name, which is then
  // replaced by the name that we have encoded.
  return Buffer.concat([around.subarray(0, HEADER_LENGTH), name, around.subarray(HEADER_LENGTH + 1)]);
};

type OptAnswer = Extract<NonNullable<Packet['additionals']>[number], { type: 'OPT' }>;
