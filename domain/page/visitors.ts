import { isWithin } from '../target/within.ts';
import type { PageFields } from './fields.ts';

/**
 * Whether somebody who shows no key sees a page (decisions.md: Status pages): it is not for team members
 * only, and its `ip_restrictions`, if it has any, include the address.
 *
 * @param address where the visitor comes from; null if unknown
 */
export const isPublicTo = (
  page: Pick<PageFields, 'viewers_must_be_team_members' | 'ip_restrictions'>,
  address: string | null,
): boolean => {
  if (page.viewers_must_be_team_members) return false;
  return page.ip_restrictions === null || isWithin(page.ip_restrictions, address);
};
