import { signedPath, type Mac } from '../signed-token.ts';
import type { Instant } from '../time.ts';

/** What links in messages to a subscriber are signed for. */
export const CONFIRM = 'subscription.confirm';
export const UNSUBSCRIBE = 'subscription.unsubscribe';

/** A subscription as it is now: links of an earlier one with the same address are void. */
export interface Subscription {
  id: string;
  organization_id: string;
  /** how often the address has subscribed, from 1 */
  number: number;
}

/** The subject of a token: `k3v9x0q2m7ab/1`. */
export const subjectOf = ({ id, number }: Pick<Subscription, 'id' | 'number'>): string => `${id}/${number.toString()}`;

/** The opposite of {@link subjectOf}; null: it is none. */
export const readSubject = (subject: string): Pick<Subscription, 'id' | 'number'> | null => {
  const [, id, number] = /^([a-z0-9]{12})\/([1-9]\d{0,8})$/.exec(subject) ?? [];
  return id === undefined ? null : { id, number: Number(number) };
};

/** The path of the page that confirms a subscription, until it is purged. */
export const confirmPath = (subscription: Subscription, expiresAt: Instant | null, mac: Mac): Promise<string> =>
  pathOf('confirm', CONFIRM, subscription, expiresAt, mac);

/** The path of the page that ends a subscription; a POST of RFC 8058 ends it too. It never expires. */
export const unsubscribePath = (subscription: Subscription, mac: Mac): Promise<string> =>
  pathOf('unsubscribe', UNSUBSCRIBE, subscription, null, mac);

/**
 * The path of the page that changes a subscription. The holder of an unsubscribe link may also change the subscription, so the token is that
 * of {@link unsubscribePath}: links in messages that were sent before work for both.
 */
export const managePath = (subscription: Subscription, mac: Mac): Promise<string> =>
  pathOf('manage', UNSUBSCRIBE, subscription, null, mac);

/** The address of the page that changes a subscription, from that of the page that ends it. */
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
