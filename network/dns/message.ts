import type { Rdata } from './rdata.ts';
import type { TypeName } from './types.ts';

/** A question, in class IN. */
export interface Question {
  /** in presentation format, with or without the last dot; names beyond ASCII are asked for as IDNA spells them */
  name: string;
  type: TypeName;
}

/**
 * A record of an answer. Names, the owner's and those within the data, are in presentation format (RFC 1035, 5.1) as
 * the server spells them: without the last dot, but `.` for the root; other bytes than letters, digits and most
 * punctuation escaped (`\.`, `\032`).
 */
export type DnsRecord = Rdata & {
  name: string;
  /** 1 is IN */
  class: number;
  /** seconds */
  ttl: number;
};

/** An extended error of a resolver (RFC 8914): why it answered as it did. */
export interface ExtendedError {
  /** IANA: Extended DNS Error Codes; 6 is "DNSSEC Bogus" */
  code: number;
  /** for people; often empty */
  text: string;
}

/** A response. */
export interface Message {
  /** `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`, … with the upper bits that EDNS carries */
  rcode: string;
  /** AA: the server is one of the zone's own */
  authoritative: boolean;
  /** RA: the server offers recursion */
  recursionAvailable: boolean;
  /** AD: the server has validated everything by DNSSEC */
  authenticated: boolean;
  answers: DnsRecord[];
  authorities: DnsRecord[];
  /** without OPT */
  additionals: DnsRecord[];
  extendedErrors: ExtendedError[];
}
