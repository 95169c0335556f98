import type { Instant } from '../time.ts';
import { dayBefore } from './retention-periods.ts';

/** The limits of sign-ups, so that they can't be used to flood other people (docs/reference/subscribers.md#limits). */
export interface SignUpLimits {
  /** maximum of unconfirmed subscriptions without a key per page and hour */
  unconfirmedPerHour: number;
  /** maximum of confirmation messages per address and day, over all pages */
  confirmationsPerDay: number;
  /** codes of the allowed countries of phone numbers; null: all */
  smsCountries: ReadonlySet<string> | null;
  /** maximum of confirmation messages by SMS per UTC day; null: unlimited */
  smsPerDay: number | null;
}

/** Whether one more confirmation message may be sent to an address. */
export const mayRequestConfirmation = (
  asked: readonly Instant[],
  { confirmationsPerDay }: Pick<SignUpLimits, 'confirmationsPerDay'>,
  now: Instant,
): boolean => {
  const since = dayBefore(now);
  return asked.filter((at) => at > since).length < confirmationsPerDay;
};
