import ipaddr from 'ipaddr.js';
import { parseRanges } from '../target/policy.ts';
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
  if (page.ip_restrictions === null) return true;
  if (address === null || !ipaddr.isValid(address)) return false;
  // An IPv4 address that comes over an IPv6 socket counts as IPv4.
  const visitor = ipaddr.process(address);
  return parseRanges(page.ip_restrictions).some(
    ([range, bits]) => range.kind() === visitor.kind() && visitor.match(range, bits),
  );
};
