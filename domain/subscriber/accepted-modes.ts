import type { PageFields } from '../page/fields.ts';
import { isOpenToEveryone, type Visibility } from '../page/access.ts';
import { SUBSCRIBER_MODES, type SubscriberMode } from './events.ts';
import { subscriptionRefusal } from './acceptance.ts';

/** The subject of a subscription: the page or parts of it, or one incident. */
export type SubscriptionSubject = 'page' | 'incident';

/**
 * The subscription modes that a page accepts from visitors. A page that is not public accepts none, since access
 * restrictions do not apply to messages (docs/reference/subscribers.md#subscribing).
 *
 * @param sent the modes that this service can send; for example, without MAIL_FROM no form offers e-mail
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
