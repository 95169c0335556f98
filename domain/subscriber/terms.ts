import type { PageFields } from '../page/fields.ts';
import { millisecondsOf, type Instant } from '../time.ts';
import type { Narrowing, SubscriberMode } from './events.ts';
import type { SignUpLimits } from './limits.ts';

const NOT_TAKEN: Record<SubscriberMode, [keyof PageFields, string]> = {
  email: ['allow_email_subscribers', 'This page takes no subscriptions by e-mail.'],
  sms: ['allow_sms_subscribers', 'This page takes no subscriptions by SMS.'],
  webhook: ['allow_webhook_subscribers', 'This page takes no subscriptions by webhook.'],
};

/** Why a page does not take a kind of subscription, as a sentence; null: it does (spec.md: Subscribers). */
export const whyNotTaken = (
  page: PageFields,
  mode: SubscriberMode,
  { incident_id }: Pick<Narrowing, 'incident_id'>,
): string | null => {
  const [setting, sentence] = NOT_TAKEN[mode];
  if (page[setting] !== true) return sentence;
  if (incident_id !== null && !page.allow_incident_subscribers)
    return 'This page takes no subscriptions to one incident.';
  if (incident_id === null && !page.allow_page_subscribers)
    return 'This page takes subscriptions to one incident only: name it by incident_id.';
  return null;
};

const MINUTES = 60;
const DAY_MS = 24 * 60 * MINUTES * 1_000;

/** Figures that limit sign-ups. */
export interface SignUpCount {
  /** unconfirmed subscriptions to the page made without a key in the last hour */
  unconfirmed: number;
  /** how many were asked by SMS on this UTC day */
  smsToday: number;
}

/**
 * Why no more subscriptions are taken for now; null: they are.
 *
 * @param trusted whether the request carries a key
 * @param skips it is not asked to confirm
 * @returns `retryAfter` in seconds
 */
export const whyNoRoom = (
  { unconfirmed, smsToday }: SignUpCount,
  { unconfirmedPerHour, smsPerDay }: Pick<SignUpLimits, 'unconfirmedPerHour' | 'smsPerDay'>,
  { mode, trusted, skips, now }: { mode: SubscriberMode; trusted: boolean; skips: boolean; now: Instant },
): { sentence: string; retryAfter: number } | null => {
  if (!trusted && unconfirmed >= unconfirmedPerHour) {
    return { sentence: 'Too many subscriptions to this page wait for their confirmation.', retryAfter: 10 * MINUTES };
  }
  if (mode === 'sms' && !skips && smsPerDay !== null && smsToday >= smsPerDay) {
    const left = DAY_MS - (millisecondsOf(now) % DAY_MS);
    return { sentence: 'No more text messages are sent today.', retryAfter: Math.ceil(left / 1_000) };
  }
  return null;
};
