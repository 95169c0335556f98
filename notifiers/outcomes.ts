import type { Instant } from '../domain/time.ts';
import type { Notifier, Sent } from './notifier.ts';

/** Where a target answered with a code, or permits another try only later. */
interface Answered {
  notBefore?: Instant | null;
  response_code?: number | null;
}

/** A try that failed. */
export const failedTry = (
  reason: string,
  error_message: string,
  { permanent = false, notBefore = null, response_code = null }: Answered & { permanent?: boolean } = {},
): Sent => ({ status: 'failed', permanent, notBefore, reason, error_message, response_code });

/** What hands messages over is out of order, which is nobody's fault who is to get one. */
export const unavailableTry = (
  reason: string,
  error_message: string,
  { notBefore = null, response_code = null }: Answered = {},
): Sent => ({ status: 'unavailable', notBefore, reason, error_message, response_code });

/** A notifier of a service that is not set up for it: messages wait until it is, or are no longer worth telling. */
export const switchedOff = (notifier: Omit<Notifier, 'send'>, why: string): Notifier => ({
  ...notifier,
  send: () => Promise.resolve(unavailableTry('not_configured', why)),
});
