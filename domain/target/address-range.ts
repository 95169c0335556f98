import ipaddr from 'ipaddr.js';
import { parseRanges } from './policy.ts';

/**
 * Whether an address is in one of the ranges.
 *
 * @param ranges addresses and CIDR ranges, separated by commas
 * @param address An address in any spelling. An IPv4-mapped address counts as IPv4. Null if unknown; then the result is
 * false.
 * @throws InvalidRange
 */
export const isWithin = (ranges: string, address: string | null): boolean => {
  if (address === null || !ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  return parseRanges(ranges).some(([range, bits]) => range.kind() === plain.kind() && plain.match(range, bits));
};

/** Whether a text is an IPv4 or IPv6 address, or a CIDR range. */
export const isAddressOrRange = (text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/');
  if (more.length > 0) return false;
  // Reject spellings such as `10.1` and `fe80::1%eth0`. ipaddr.js accepts them, but in a list of restrictions they are
  // mistakes.
  const v4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  const v6 = !v4 && !address.includes('%') && ipaddr.IPv6.isValid(address);
  if (!v4 && !v6) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (v4 ? 32 : 128));
};

export const IS_ADDRESS_OR_RANGE = 'Must be an IP address or a CIDR range.';

/** Whether a range is contained in another range. @throws InvalidRange */
export const isRangeWithin = (range: string, bound: string): boolean => {
  const [inner] = parseRanges(range);
  const [outer] = parseRanges(bound);
  return inner !== undefined && outer !== undefined && contains(outer, inner);
};

/**
 * Whether each range of a list is contained in a range of another list. The result is also false for a range that only
 * several ranges of the other list cover together.
 *
 * @param ranges addresses and CIDR ranges, separated by commas
 * @throws InvalidRange
 */
export const areRangesWithin = (ranges: string, bounds: string): boolean => {
  const outer = parseRanges(bounds);
  return parseRanges(ranges).every((inner) => outer.some((bound) => contains(bound, inner)));
};

type Range = ReturnType<typeof parseRanges>[number];

const contains = ([base, bits]: Range, [innerBase, innerBits]: Range): boolean =>
  base.kind() === innerBase.kind() && innerBits >= bits && innerBase.match(base, bits);
