import type { Instant } from '../time.ts';
import { dayBefore } from './times.ts';

/** What subscribing is limited by, so that nobody can have others flooded (docs/decisions.md: Subscribers). */
export interface SignUpLimits {
  /** how many unconfirmed subscriptions of strangers a page takes in an hour */
  unconfirmedPerHour: number;
  /** how many messages that ask for a confirmation an address gets in a day, whatever the page */
  confirmationsPerDay: number;
  /** codes of the countries that numbers may belong to; null: all */
  smsCountries: ReadonlySet<string> | null;
  /** how many such messages go out by SMS on a UTC day; null: any number */
  smsPerDay: number | null;
}

/** Whether one more message that asks for a confirmation may go to an address. */
export const mayAsk = (
  asked: readonly Instant[],
  { confirmationsPerDay }: Pick<SignUpLimits, 'confirmationsPerDay'>,
  now: Instant,
): boolean => {
  const since = dayBefore(now);
  return asked.filter((at) => at > since).length < confirmationsPerDay;
};
