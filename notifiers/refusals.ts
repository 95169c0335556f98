import type { Sent } from './notifier.ts';

/** Replaces the message of a refusal by our own sentence for its status; the other side's text is not repeated. */
export const inOwnWords = (sent: Sent, refusals: Readonly<Record<number, string>>): Sent =>
  sent.status === 'failed' && sent.response_code !== null
    ? { ...sent, error_message: refusals[sent.response_code] ?? sent.error_message }
    : sent;
