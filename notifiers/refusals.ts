import type { Sent } from './notifier.ts';

/** A refusal in words of our own, by the status of the answer; what the other side says is not repeated. */
export const inOwnWords = (sent: Sent, refusals: Readonly<Record<number, string>>): Sent =>
  sent.status === 'failed' && sent.response_code !== null
    ? { ...sent, error_message: refusals[sent.response_code] ?? sent.error_message }
    : sent;
