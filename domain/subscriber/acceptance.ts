import type { PageFields } from '../page/fields.ts';
import { DAY_MS, millisecondsOf, MINUTE_SECONDS, SECOND_MS, type Instant } from '../time.ts';
import type { Narrowing, SubscriberMode } from './events.ts';
import type { SignUpLimits } from './limits.ts';

const NOT_TAKEN: Record<SubscriberMode, [keyof PageFields, string]> = {
  email: ['allow_email_subscribers', 'This page does not accept subscriptions by e-mail.'],
  sms: ['allow_sms_subscribers', 'This page does not accept subscriptions by SMS.'],
  webhook: ['allow_webhook_subscribers', 'This page does not accept subscriptions by webhook.'],
};

/** Why a page does not accept a kind of subscription, as a sentence; null if it does (docs/reference/subscribers.md#subscribing). */
export const subscriptionRefusal = (
  page: PageFields,
  mode: SubscriberMode,
  { incident_id }: Pick<Narrowing, 'incident_id'>,
): string | null => {
  const [setting, sentence] = NOT_TAKEN[mode];
  if (page[setting] !== true) return sentence;
  if (incident_id !== null && !page.allow_incident_subscribers)
    return 'This page does not accept subscriptions to a single incident.';
  if (incident_id === null && !page.allow_page_subscribers)
    return 'This page only accepts subscriptions to a single incident. Set incident_id.';
  return null;
};

/** The usage of the limits of sign-ups. */
export interface SignUpCount {
  /** unconfirmed subscriptions to the page without a key in the last hour */
  unconfirmed: number;
  /** confirmation messages by SMS on this UTC day */
  smsToday: number;
}

/**
 * Why a subscription is currently refused; null if it is accepted.
 *
 * @param trusted whether the request has a key
 * @param skips whether no confirmation is required
 * @returns `retryAfter` in seconds
 */
export const signUpLimitReached = (
  { unconfirmed, smsToday }: SignUpCount,
  { unconfirmedPerHour, smsPerDay }: Pick<SignUpLimits, 'unconfirmedPerHour' | 'smsPerDay'>,
  { mode, trusted, skips, now }: { mode: SubscriberMode; trusted: boolean; skips: boolean; now: Instant },
): { sentence: string; retryAfter: number } | null => {
  if (!trusted && unconfirmed >= unconfirmedPerHour) {
    return {
      sentence: 'Too many subscriptions to this page are awaiting confirmation.',
      retryAfter: 10 * MINUTE_SECONDS,
    };
  }
  if (mode === 'sms' && !skips && smsPerDay !== null && smsToday >= smsPerDay) {
    const left = DAY_MS - (millisecondsOf(now) % DAY_MS);
    return { sentence: 'The daily limit of text messages is reached.', retryAfter: Math.ceil(left / SECOND_MS) };
  }
  return null;
};
