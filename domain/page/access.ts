import type { Instant } from '../time.ts';
import { areRangesWithin, isWithin } from '../target/address-range.ts';
import type { PageFields } from './fields.ts';

/** The fields of a page password that determine whether and how long it opens its page. */
export interface PasswordRules {
  id: string;
  active: boolean;
  /** when the password expires; null: never */
  expires_at: Instant | null;
  /** a number that increases by one with every change that revokes the tokens of the password */
  revision: number;
}

/** The fields of a page that determine who is allowed to see it. */
export interface Visibility extends Pick<PageFields, 'viewers_must_be_team_members' | 'ip_restrictions'> {
  passwords: readonly PasswordRules[];
}

/**
 * Whether a page requires a password. A page with an active password requires a password even if the active password
 * has expired, because a page must not become public when a password expires.
 */
export const isProtected = ({ passwords }: Pick<Visibility, 'passwords'>): boolean =>
  passwords.some(({ active }) => active);

/** Whether a password currently opens its page: it is active and has not expired. */
export const grantsAccess = ({ active, expires_at }: Omit<PasswordRules, 'id'>, now: Instant): boolean =>
  active && !isExpired({ expires_at }, now);

export const isExpired = ({ expires_at }: Pick<PasswordRules, 'expires_at'>, now: Instant): boolean =>
  expires_at !== null && expires_at <= now;

/**
 * Whether a visitor without an API key can reach a page. The page must not be restricted to team members, and its
 * `ip_restrictions`, if any, must include the visitor's address. The page might still require a password.
 *
 * @param address the visitor's IP address; null if unknown
 */
export const isReachable = (
  page: Pick<Visibility, 'viewers_must_be_team_members' | 'ip_restrictions'>,
  address: string | null,
): boolean => {
  if (page.viewers_must_be_team_members) return false;
  return page.ip_restrictions === null || isWithin(page.ip_restrictions, address);
};

/**
 * Whether a visitor is allowed to see a page without an API key and without a password
 * (docs/reference/visitors.md#who-sees-a-page).
 *
 * @param address the visitor's IP address; null if unknown
 */
export const isPublicTo = (page: Visibility, address: string | null): boolean =>
  !isProtected(page) && isReachable(page, address);

/** Whether a page is public to everybody from any address. Shared caches are allowed to store such pages only. */
export const isOpenToEveryone = (page: Visibility): boolean => isPublicTo(page, null);

/**
 * Whether everybody who may see a page with the access rules `now` may also see it with the rules `then`. Members of
 * the organization need no password, because they may read the page through the API too.
 */
export const admitsAllOf = (then: Visibility, now: Visibility): boolean =>
  (!then.viewers_must_be_team_members || now.viewers_must_be_team_members) &&
  (!isProtected(then) || isProtected(now) || now.viewers_must_be_team_members) &&
  admitsAddressesOf(then.ip_restrictions, now.ip_restrictions);

const admitsAddressesOf = (then: string | null, now: string | null): boolean =>
  then === null || then === now || (now !== null && areRangesWithin(now, then));
