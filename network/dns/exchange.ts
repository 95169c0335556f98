import type { NetworkContext } from '../context.ts';
import type { DnsMessageHeader } from './read-message.ts';

/** A message that matches the query, before its records are read. */
export interface RawDnsResponse {
  bytes: Buffer;
  head: DnsMessageHeader;
  /** `127.0.0.1:53` */
  peer: string;
}

/** The state of an exchange, for the sentence of its timeout. */
export interface QueryWatch {
  /** "No answer from 127.0.0.1:53 over UDP." */
  timeoutSentence: () => string;
  /** milliseconds by the monotonic clock, when the query was last sent */
  sentAt: number;
}

export interface ExchangeContext extends NetworkContext {
  watch: QueryWatch;
}
