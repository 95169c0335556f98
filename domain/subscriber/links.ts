import { signedPath, type Mac } from '../signed-token.ts';
import type { Instant } from '../time.ts';

/**
 * The purposes of signed links to subscribers. The signature covers the purpose, so a link is valid for one purpose
 * only.
 */
export const CONFIRM = 'subscription.confirm';
export const UNSUBSCRIBE = 'subscription.unsubscribe';

/**
 * The data that identifies a subscription in links. Links of an earlier subscription of the same address are invalid.
 */
export interface Subscription {
  id: string;
  organization_id: string;
  /** number of the subscription among all subscriptions of the address, from 1 */
  number: number;
}

/** Returns the subject of a token, such as `k3v9x0q2m7ab/1`. */
export const subjectOf = ({ id, number }: Pick<Subscription, 'id' | 'number'>): string => `${id}/${number}`;

/** Parses a subject from {@link subjectOf}. Returns null if the text is invalid. */
export const readSubject = (subject: string): Pick<Subscription, 'id' | 'number'> | null => {
  const [, id, number] = /^([a-z0-9]{12})\/([1-9]\d{0,8})$/.exec(subject) ?? [];
  return id === undefined ? null : { id, number: Number(number) };
};

/** Returns the path of the page that confirms a subscription. The link is valid until `expiresAt`; null: forever. */
export const confirmPath = (subscription: Subscription, expiresAt: Instant | null, mac: Mac): Promise<string> =>
  pathOf('confirm', CONFIRM, subscription, expiresAt, mac);

/**
 * Returns the path of the page that ends a subscription. The one-click POST of RFC 8058 uses the same path. The link
 * never expires.
 */
export const unsubscribePath = (subscription: Subscription, mac: Mac): Promise<string> =>
  pathOf('unsubscribe', UNSUBSCRIBE, subscription, null, mac);

/**
 * Returns the path of the page that changes a subscription. The path contains the same token as {@link
 * unsubscribePath}, so {@link manageAddressOf} can derive it from the unsubscribe link of an earlier message.
 */
export const managePath = (subscription: Subscription, mac: Mac): Promise<string> =>
  pathOf('manage', UNSUBSCRIBE, subscription, null, mac);

/** Converts the address of the page that ends a subscription to the address of the page that changes it. */
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
