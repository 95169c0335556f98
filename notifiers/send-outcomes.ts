import type { Instant } from '../domain/time.ts';
import type { Notifier, SendOutcome } from './notifier.ts';

/** When the target responded with a code, or allows a retry only later. */
interface Answered {
  notBefore?: Instant | null;
  response_code?: number | null;
}

/** A failed attempt. */
export const failedAttempt = (
  reason: string,
  error_message: string,
  { permanent = false, notBefore = null, response_code = null }: Answered & { permanent?: boolean } = {},
): SendOutcome => ({ status: 'failed', permanent, notBefore, reason, error_message, response_code });

/**
 * An attempt that failed because a shared service (a relay, a gateway) is unavailable, which neither the message nor
 * its receiver caused.
 */
export const unavailableAttempt = (
  reason: string,
  error_message: string,
  { notBefore = null, response_code = null }: Answered = {},
): SendOutcome => ({ status: 'unavailable', notBefore, reason, error_message, response_code });

/** A notifier that the service has no configuration for: messages wait until it has, or until they expire. */
export const disabledNotifier = (notifier: Omit<Notifier, 'send'>, why: string): Notifier => ({
  ...notifier,
  send: () => Promise.resolve(unavailableAttempt('not_configured', why)),
});
