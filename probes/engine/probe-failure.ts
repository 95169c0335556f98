import type { Reason } from './check-type.ts';

/** Ends a run with a failure; the message becomes the sentence of its result. */
export class ProbeFailure extends Error {
  readonly status: 'down' | 'failed';
  readonly reason: Reason;

  constructor(status: 'down' | 'failed', reason: Reason, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'ProbeFailure';
    this.status = status;
    this.reason = reason;
  }
}

/** Quotes a text for a sentence. */
export const quoted = (text: string): string => `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`;

/** The response lacks the expected text. `where`: ` in the response` */
export const textNotFound = (text: string, where: string): ProbeFailure =>
  new ProbeFailure('failed', 'content', `Text ${quoted(text)} was not found${where}.`);
