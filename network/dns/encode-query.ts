import { encode, DNSSEC_OK, RECURSION_DESIRED, CHECKING_DISABLED, type Packet } from 'dns-packet';
import { nameBytes } from './names.ts';
import { HEAD_LENGTH } from './read-message.ts';
import type { Question } from './message.ts';
import { TYPE_NUMBERS } from './types.ts';

/** Flags of a query. */
export interface Asking {
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
export interface WrittenQuestion {
  name: Buffer;
  type: number;
  asking: Asking;
}

/** @returns null if the name is not a domain name */
export const writtenQuestion = ({ name, type }: Question, asking: Asking): WrittenQuestion | null => {
  const bytes = nameBytes(name);
  return bytes && { name: bytes, type: TYPE_NUMBERS[type], asking };
};

/** @param edns whether the message carries OPT (RFC 6891) */
export const questionMessage = ({ name, type, asking }: WrittenQuestion, id: number, edns: boolean): Buffer => {
  const { recursion = true, dnssec = false, checkingDisabled = false } = asking;
  const around = encode({
    id,
    type: 'query',
    // AD in a query requests AD in the response (RFC 6840, 5.7).
    flags: (recursion ? RECURSION_DESIRED : 0) | (checkingDisabled ? CHECKING_DISABLED : 0) | AUTHENTIC_DATA,
    questions: [{ name: '.', type: `UNKNOWN_${type.toString()}` as 'A' }],
    additionals: edns
      ? [{ type: 'OPT', name: '.', udpPayloadSize: UDP_BYTES, flags: dnssec ? DNSSEC_OK : 0 } as OptAnswer]
      : [],
  });
  // dns-packet encodes the root, which our own name replaces: its codec knows neither escapes nor limits.
  return Buffer.concat([around.subarray(0, HEAD_LENGTH), name, around.subarray(HEAD_LENGTH + 1)]);
};

type OptAnswer = Extract<NonNullable<Packet['additionals']>[number], { type: 'OPT' }>;
