import { readSubject } from '../../domain/subscriber/links.ts';
import { HttpError } from '../../http/errors.ts';
import { html, JSON_TYPE, type MediaType } from '../../http/media/media-types.ts';
import type { RouteResponse } from '../../http/routes/route.ts';
import { findLinkedSubscription, type LinkedSubscription } from '../../queries/pages/linked-subscriptions.ts';
import type { Scope } from '../../queries/engine/scope.ts';
import { NO_SCRIPTS } from '../content-security-policy.ts';
import { problemPage, subscriptionPage, subscriptionSentence } from './pages.ts';
import type { LinkState } from './link-state.ts';

/** The media type of pages to which links lead. Their policy allows the icon, which is a data URL. */
export const PAGE = html({ policy: { ...NO_SCRIPTS, 'img-src': ['data:'] }, problem: problemPage });

export const NOINDEX = { 'X-Robots-Tag': 'noindex, nofollow' };

/** The subscription of a link. */
export interface SubscriptionOfLink extends LinkedSubscription {
  /** number of the subscription that the link was created for */
  linked: number;
}

/** Finds the subscription of a link. @throws HttpError 410 the subscription no longer exists */
const find = async ({ scope, subject }: { scope: Scope; subject: string | null }): Promise<SubscriptionOfLink> => {
  const named = readSubject(subject ?? '');
  const found = named && (await findLinkedSubscription(scope, named.id));
  if (!found) throw new HttpError(410, 'The subscription has ended.');
  return { ...found, linked: named.number };
};

/** Returns the properties that all routes for links with the same purpose share. */
export const ofLink = (purpose: string) => ({
  tag: 'Subscriptions',
  access: { public: { link: purpose } },
  find,
  // The token in the URL is a secret of the recipient.
  confidential: true,
});

/**
 * Returns a response about the state of a subscription link: a page for people, or a sentence for programs.
 *
 * @param manage URL of the page for changing the subscription, or null if it is not offered
 */
export const linkStateResponse = (
  standing: LinkState,
  found: SubscriptionOfLink,
  type: MediaType,
  manage: string | null,
): RouteResponse => {
  const status = standing === 'earlier' || standing === 'expired' ? 410 : 200;
  const message = subscriptionSentence(standing);
  if (type === JSON_TYPE && status !== 200) throw new HttpError(status, message);
  return {
    status,
    headers: NOINDEX,
    body: () => (type === JSON_TYPE ? { message } : subscriptionPage(standing, found, manage)),
  };
};
