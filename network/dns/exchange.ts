import type { NetworkContext } from '../context.ts';
import type { Head } from './read-message.ts';

/** A message that matches the query, before its records are read. */
export interface RawAnswer {
  bytes: Buffer;
  head: Head;
  /** `127.0.0.1:53` */
  peer: string;
}

/** The state of an exchange, for the sentence of its timeout. */
export interface Watch {
  /** "No answer from 127.0.0.1:53 over UDP." */
  silence: () => string;
  /** milliseconds by the monotonic clock, when the query was last sent */
  sentAt: number;
}

export interface ExchangeContext extends NetworkContext {
  watch: Watch;
}
