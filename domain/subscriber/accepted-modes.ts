import type { PageFields } from '../page/fields.ts';
import { isOpenToAll, type Visibility } from '../page/access.ts';
import { SUBSCRIBER_MODES, type SubscriberMode } from './events.ts';
import { whyNotTaken } from './acceptance.ts';

/** The subject of a subscription: the page or parts of it, or one incident. */
export type Subject = 'page' | 'incident';

/**
 * The subscription modes that a page accepts from visitors. A page that is not public accepts none, since access
 * restrictions do not apply to messages (docs/decisions.md: Subscribers).
 *
 * @param sent the modes that this service can send; for example, without MAIL_FROM no form offers e-mail
 */
export const takenModes = (
  page: PageFields & Visibility,
  subject: Subject,
  sent: ReadonlySet<SubscriberMode>,
): SubscriberMode[] => {
  if (!isOpenToAll(page)) return [];
  const incident_id = subject === 'incident' ? 'incident' : null;
  return SUBSCRIBER_MODES.filter((mode) => sent.has(mode) && whyNotTaken(page, mode, { incident_id }) === null);
};
