import type { SendOutcome } from './notifier.ts';

/**
 * Replaces the error message of a refusal by a sentence of our own for its status. The text that the service sent is
 * not shown.
 */
export const withOwnSentence = (sent: SendOutcome, refusals: Readonly<Record<number, string>>): SendOutcome =>
  sent.status === 'failed' && sent.response_code !== null
    ? { ...sent, error_message: refusals[sent.response_code] ?? sent.error_message }
    : sent;
