import type { Reason } from './check-type.ts';

/** Ends a run with a failure. The message becomes the `error_message` of the outcome. */
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

/** Quotes a text for a sentence, and shortens it to 100 characters. */
export const quoted = (text: string): string => `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`;

/** Returns the failure of a response that lacks an expected text. @param where such as ` in the response` */
export const textNotFound = (text: string, where: string): ProbeFailure =>
  new ProbeFailure('failed', 'content', `Text ${quoted(text)} was not found${where}.`);
