import type { Reason } from './check-type.ts';

/** Ends a run badly; the message is the sentence of its result. */
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

/** A text as it appears in sentences. */
export const quoted = (text: string): string => `"${text.length > 100 ? `${text.slice(0, 100)}…` : text}"`;

/** The answer is not what was expected. `where`: ` in the response` */
export const textNotFound = (text: string, where: string): ProbeFailure =>
  new ProbeFailure('failed', 'content', `Text ${quoted(text)} was not found${where}.`);
