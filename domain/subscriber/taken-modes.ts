import type { PageFields } from '../page/fields.ts';
import { isOpenToAll, type Visibility } from '../page/visitors.ts';
import { SUBSCRIBER_MODES, type SubscriberMode } from './events.ts';
import { whyNotTaken } from './terms.ts';

/** What a subscription can be about: the page, or parts of it, or one incident. */
export type Subject = 'page' | 'incident';

/**
 * The kinds of subscriptions that a page takes from visitors. One that not everybody may see takes none: a message is
 * read anywhere (docs/decisions.md: Subscribers).
 *
 * @param sent the modes in which this service sends messages: without MAIL_FROM, for example, no form offers e-mail
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
