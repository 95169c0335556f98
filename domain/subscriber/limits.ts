import type { Instant } from '../time.ts';
import { dayBefore } from './retention-periods.ts';

/**
 * The limits of sign-ups. They prevent anyone from flooding other people with confirmation messages
 * (docs/reference/subscribers.md#limits).
 */
export interface SignUpLimits {
  /** maximum number of unconfirmed subscriptions per page and hour that are added without an API key */
  unconfirmedPerHour: number;
  /** maximum number of confirmation messages per address and day, over all pages */
  confirmationsPerDay: number;
  /** codes of the countries whose phone numbers are allowed; null: all countries */
  smsCountries: ReadonlySet<string> | null;
  /** maximum number of confirmation messages by SMS per UTC day; null: unlimited */
  smsPerDay: number | null;
}

/**
 * Whether the limit per address allows one more confirmation message.
 *
 * @param asked when confirmation messages to the address were requested
 */
export const mayRequestConfirmation = (
  asked: readonly Instant[],
  { confirmationsPerDay }: Pick<SignUpLimits, 'confirmationsPerDay'>,
  now: Instant,
): boolean => {
  const since = dayBefore(now);
  return asked.filter((at) => at > since).length < confirmationsPerDay;
};
