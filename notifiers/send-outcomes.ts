import type { Instant } from '../domain/time.ts';
import type { Notifier, SendOutcome } from './notifier.ts';

/** Optional properties of an outcome, for targets that responded with a status code or asked to wait. */
interface Answered {
  notBefore?: Instant | null;
  response_code?: number | null;
}

/** Creates the outcome of a failed attempt. */
export const failedAttempt = (
  reason: string,
  error_message: string,
  { permanent = false, notBefore = null, response_code = null }: Answered & { permanent?: boolean } = {},
): SendOutcome => ({ status: 'failed', permanent, notBefore, reason, error_message, response_code });

/**
 * Creates the outcome of an attempt that failed because a shared service (a relay, a gateway) is unavailable. Neither
 * the message nor its receiver caused the failure.
 */
export const unavailableAttempt = (
  reason: string,
  error_message: string,
  { notBefore = null, response_code = null }: Answered = {},
): SendOutcome => ({ status: 'unavailable', notBefore, reason, error_message, response_code });

/**
 * Creates a notifier for which the service has no configuration. Messages wait until the notifier is configured, or
 * until they expire.
 */
export const disabledNotifier = (notifier: Omit<Notifier, 'send'>, why: string): Notifier => ({
  ...notifier,
  send: () => Promise.resolve(unavailableAttempt('not_configured', why)),
});
