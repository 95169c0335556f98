import type { NetworkContext } from '../context.ts';
import type { Head } from './read-message.ts';

/** A message that answers the question; its content has not been read yet. */
export interface RawAnswer {
  bytes: Buffer;
  head: Head;
  /** `127.0.0.1:53` */
  peer: string;
}

/** What an exchange is doing, for the sentence when its time runs out. */
export interface Watch {
  /** "No answer from 127.0.0.1:53 over UDP." */
  silence: () => string;
  /** milliseconds by the monotonic clock, when the question was sent last */
  sentAt: number;
}

export interface ExchangeContext extends NetworkContext {
  watch: Watch;
}
