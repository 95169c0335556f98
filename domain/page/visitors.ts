import type { Instant } from '../time.ts';
import { isWithin } from '../target/within.ts';
import type { PageFields } from './fields.ts';

/** What decides whether a page password opens its page, and for how long. */
export interface PasswordRules {
  id: string;
  active: boolean;
  /** it opens nothing from this moment on; null: never */
  expires_at: Instant | null;
  /** grows by one with whatever revokes the tokens that were issued for it */
  revision: number;
}

/** Who may see a page. */
export interface Visibility extends Pick<PageFields, 'viewers_must_be_team_members' | 'ip_restrictions'> {
  passwords: readonly PasswordRules[];
}

/**
 * Whether a page asks its visitors for a password: it has one that is active. One that has expired protects it still,
 * so that a page is never opened by the passing of time.
 */
export const isProtected = ({ passwords }: Pick<Visibility, 'passwords'>): boolean =>
  passwords.some(({ active }) => active);

/** Whether a password opens its page now. */
export const opensPage = ({ active, expires_at }: Omit<PasswordRules, 'id'>, now: Instant): boolean =>
  active && !isExpired({ expires_at }, now);

export const isExpired = ({ expires_at }: Pick<PasswordRules, 'expires_at'>, now: Instant): boolean =>
  expires_at !== null && expires_at <= now;

/**
 * Whether somebody who shows no key reaches a page: it is not for team members only, and its `ip_restrictions`, if it
 * has any, include the address. It may still ask for a password.
 *
 * @param address where the visitor comes from; null if unknown
 */
export const isReachable = (
  page: Pick<Visibility, 'viewers_must_be_team_members' | 'ip_restrictions'>,
  address: string | null,
): boolean => {
  if (page.viewers_must_be_team_members) return false;
  return page.ip_restrictions === null || isWithin(page.ip_restrictions, address);
};

/**
 * Whether somebody who shows neither key nor password sees a page (docs/decisions.md: Page passwords).
 *
 * @param address where the visitor comes from; null if unknown
 */
export const isPublicTo = (page: Visibility, address: string | null): boolean =>
  !isProtected(page) && isReachable(page, address);

/** Whether everybody sees a page, from wherever: only then may shared caches keep what it shows. */
export const isOpenToAll = (page: Visibility): boolean => isPublicTo(page, null);
