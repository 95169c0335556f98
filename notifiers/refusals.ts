import type { SendOutcome } from './notifier.ts';

/** Replaces the message of a refusal by our own sentence for its status; the other side's text is not repeated. */
export const withOwnSentence = (sent: SendOutcome, refusals: Readonly<Record<number, string>>): SendOutcome =>
  sent.status === 'failed' && sent.response_code !== null
    ? { ...sent, error_message: refusals[sent.response_code] ?? sent.error_message }
    : sent;
