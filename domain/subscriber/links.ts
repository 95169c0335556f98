import { signedPath, type Mac } from '../signed-token.ts';
import type { Instant } from '../time.ts';

/** The purposes in the signatures of links in messages to subscribers. */
export const CONFIRM = 'subscription.confirm';
export const UNSUBSCRIBE = 'subscription.unsubscribe';

/** A subscription in links. Links of an earlier subscription of the same address are invalid. */
export interface Subscription {
  id: string;
  organization_id: string;
  /** number of the subscription of the address, from 1 */
  number: number;
}

/** The subject of a token: `k3v9x0q2m7ab/1`. */
export const subjectOf = ({ id, number }: Pick<Subscription, 'id' | 'number'>): string => `${id}/${number}`;

/** The inverse of {@link auditSubjectOf}; null if the text is invalid. */
export const readSubject = (subject: string): Pick<Subscription, 'id' | 'number'> | null => {
  const [, id, number] = /^([a-z0-9]{12})\/([1-9]\d{0,8})$/.exec(subject) ?? [];
  return id === undefined ? null : { id, number: Number(number) };
};

/** The path of the page that confirms a subscription, valid until the subscription is purged. */
export const confirmPath = (subscription: Subscription, expiresAt: Instant | null, mac: Mac): Promise<string> =>
  pathOf('confirm', CONFIRM, subscription, expiresAt, mac);

/** The path of the page that ends a subscription, also for the one-click POST of RFC 8058. It never expires. */
export const unsubscribePath = (subscription: Subscription, mac: Mac): Promise<string> =>
  pathOf('unsubscribe', UNSUBSCRIBE, subscription, null, mac);

/**
 * The path of the page that changes a subscription. It uses the token of {@link unsubscribePath}, so that the links in
 * earlier messages work for both.
 */
export const managePath = (subscription: Subscription, mac: Mac): Promise<string> =>
  pathOf('manage', UNSUBSCRIBE, subscription, null, mac);

/** Converts the address of the unsubscribe page into that of the page that changes a subscription. */
export const manageAddressOf = (unsubscribeAddress: string): string =>
  unsubscribeAddress.replace('/subscriptions/unsubscribe?', '/subscriptions/manage?');

const pathOf = (
  page: 'confirm' | 'unsubscribe' | 'manage',
  purpose: string,
  subscription: Subscription,
  expiresAt: Instant | null,
  mac: Mac,
): Promise<string> => {
  const { organization_id: organizationId } = subscription;
  const link = { purpose, organizationId, subject: subjectOf(subscription), expiresAt };
  return signedPath(`/subscriptions/${page}`, link, mac);
};
