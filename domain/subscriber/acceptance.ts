import type { PageFields } from '../page/fields.ts';
import { DAY_MS, millisecondsOf, MINUTE_SECONDS, SECOND_MS, type Instant } from '../time.ts';
import type { Narrowing, SubscriberMode } from './events.ts';
import type { SignUpLimits } from './limits.ts';

const NOT_TAKEN: Record<SubscriberMode, [keyof PageFields, string]> = {
  email: ['allow_email_subscribers', 'This page does not accept subscriptions by e-mail.'],
  sms: ['allow_sms_subscribers', 'This page does not accept subscriptions by SMS.'],
  webhook: ['allow_webhook_subscribers', 'This page does not accept subscriptions by webhook.'],
};

/**
 * Returns a sentence that explains why a page does not accept a kind of subscription; null if the page accepts it
 * (docs/reference/subscribers.md#subscribing).
 */
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

/** Counts of recent sign-ups, which are compared with the limits. */
export interface SignUpCount {
  /** number of unconfirmed subscriptions to the page in the last hour, without those that were added with an API key */
  unconfirmed: number;
  /** number of confirmation messages by SMS on the current UTC day */
  smsToday: number;
}

/**
 * Compares the counts of sign-ups with the limits.
 *
 * @param trusted whether the request has an API key
 * @param skips whether the subscription needs no confirmation
 * @returns null if the subscription is accepted; otherwise the reason, and the seconds after which a client can try
 * again
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
