import type { Reason } from '../check-type.ts';

/** What ends a run badly; the message is the sentence of its result. */
export class Finding extends Error {
  readonly status: 'down' | 'failed';
  readonly reason: Reason;

  constructor(status: 'down' | 'failed', reason: Reason, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'Finding';
    this.status = status;
    this.reason = reason;
  }
}
