import type { Rdata } from './rdata.ts';
import type { TypeName } from './types.ts';

/** A question in class IN. */
export interface DnsQuestion {
  /**
   * in presentation format, with or without the final dot; names with other characters than ASCII are converted by the
   * rules of IDNA
   */
  name: string;
  type: TypeName;
}

/**
 * A resource record. Its names are in presentation format (RFC 1035, 5.1) and have no final dot; the root is `.`.
 * Letters keep the case that the server sent. Bytes other than letters, digits and most punctuation are escaped (`\.`,
 * `\032`).
 */
export type DnsRecord = Rdata & {
  name: string;
  /** 1 is IN */
  class: number;
  /** seconds */
  ttl: number;
};

/** An extended error of a resolver (RFC 8914). It explains the RCODE. */
export interface ExtendedError {
  /** IANA: Extended DNS Error Codes; 6 is "DNSSEC Bogus" */
  code: number;
  /** explanation for people; often empty */
  text: string;
}

/** A response. */
export interface DnsMessage {
  /** `NOERROR`, `NXDOMAIN`, `SERVFAIL`, `REFUSED`, …; includes the upper bits that EDNS adds */
  rcode: string;
  /** AA: the server is authoritative for the zone */
  authoritative: boolean;
  /** RA: the server offers recursion */
  recursionAvailable: boolean;
  /** AD: the server has validated all records with DNSSEC */
  authenticated: boolean;
  answers: DnsRecord[];
  authorities: DnsRecord[];
  /** all additional records except OPT */
  additionals: DnsRecord[];
  extendedErrors: ExtendedError[];
}
