import type { NetworkContext } from '../context.ts';
import type { DnsMessageHeader } from './read-message.ts';

/** A message that matches the query. Its records have not been read yet. */
export interface RawDnsResponse {
  bytes: Buffer;
  head: DnsMessageHeader;
  /** `127.0.0.1:53` */
  peer: string;
}

/** The state of a query. If the query times out, the error message is derived from this state. */
export interface QueryWatch {
  /** Returns the error message: "No answer from 127.0.0.1:53 over UDP." */
  timeoutSentence: () => string;
  /** when the query was most recently sent, in milliseconds of the monotonic clock */
  sentAt: number;
}

export interface ExchangeContext extends NetworkContext {
  watch: QueryWatch;
}
