import type { PageFields } from '../page/fields.ts';
import { isOpenToEveryone, type Visibility } from '../page/access.ts';
import { SUBSCRIBER_MODES, type SubscriberMode } from './events.ts';
import { subscriptionRefusal } from './acceptance.ts';

/** The subject of a subscription: a page (or some of its components), or one incident. */
export type SubscriptionSubject = 'page' | 'incident';

/**
 * Returns the subscription modes that a page accepts from visitors. A page that is not public accepts none, because the
 * messages would reach people who are not allowed to see the page (docs/reference/subscribers.md#subscribing).
 *
 * @param sent the modes in which this service can send messages; for example, without `MAIL_FROM` it can't send e-mail
 */
export const acceptedModes = (
  page: PageFields & Visibility,
  subject: SubscriptionSubject,
  sent: ReadonlySet<SubscriberMode>,
): SubscriberMode[] => {
  if (!isOpenToEveryone(page)) return [];
  const incident_id = subject === 'incident' ? 'incident' : null;
  return SUBSCRIBER_MODES.filter((mode) => sent.has(mode) && subscriptionRefusal(page, mode, { incident_id }) === null);
};
