import type { Rdata } from './rdata.ts';
import type { TypeName } from './types.ts';

/** A question, in class IN. */
export interface DnsQuestion {
  /** in presentation format, with or without the final dot; names beyond ASCII are converted as IDNA requires */
  name: string;
  type: TypeName;
}

/**
 * A resource record. Its names are in presentation format (RFC 1035, 5.1), in the server's spelling: without the final
 * dot, except `.` for the root. Bytes other than letters, digits and most punctuation are escaped (`\.`, `\032`).
 */
export type DnsRecord = Rdata & {
  name: string;
  /** 1 is IN */
  class: number;
  /** seconds */
  ttl: number;
};

/** An extended error of a resolver (RFC 8914), which explains its RCODE. */
export interface ExtendedError {
  /** IANA: Extended DNS Error Codes; 6 is "DNSSEC Bogus" */
  code: number;
  /** for people; often empty */
  text: string;
}

/** A response. */
export interface DnsMessage {
  /** `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`, … with the upper bits that EDNS carries */
  rcode: string;
  /** AA: the server is authoritative for the zone */
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
