import type { Instant } from '../time.ts';
import { isWithin } from '../target/address-range.ts';
import type { PageFields } from './fields.ts';

/** The fields that decide whether and how long a page password opens its page. */
export interface PasswordRules {
  id: string;
  active: boolean;
  /** when it expires; null: never */
  expires_at: Instant | null;
  /** increases by one with every change that revokes the tokens issued for it */
  revision: number;
}

/** The fields that decide who may see a page. */
export interface Visibility extends Pick<PageFields, 'viewers_must_be_team_members' | 'ip_restrictions'> {
  passwords: readonly PasswordRules[];
}

/**
 * Whether a page requires a password: it has an active one. An expired password still protects the page, so that a page
 * does not become public when a password expires.
 */
export const isProtected = ({ passwords }: Pick<Visibility, 'passwords'>): boolean =>
  passwords.some(({ active }) => active);

/** Whether a password currently opens its page. */
export const grantsAccess = ({ active, expires_at }: Omit<PasswordRules, 'id'>, now: Instant): boolean =>
  active && !isExpired({ expires_at }, now);

export const isExpired = ({ expires_at }: Pick<PasswordRules, 'expires_at'>, now: Instant): boolean =>
  expires_at !== null && expires_at <= now;

/**
 * Whether a visitor without an API key may reach a page: it is not restricted to team members, and its `ip_restrictions`,
 * if any, include the address. It may still require a password.
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
 * Whether a visitor without a key and a password may see a page (docs/reference/visitors.md#who-sees-a-page).
 *
 * @param address the visitor's IP address; null if unknown
 */
export const isPublicTo = (page: Visibility, address: string | null): boolean =>
  !isProtected(page) && isReachable(page, address);

/** Whether a page is public to everybody from any address. Only then may shared caches store it. */
export const isOpenToEveryone = (page: Visibility): boolean => isPublicTo(page, null);
