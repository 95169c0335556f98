import { Invalid } from '../errors.ts';
import { IS_ADDRESS_OR_RANGE, isAddressOrRange, isRangeWithin } from '../target/address-range.ts';

/** Maximum number of addresses and ranges of an API key. */
export const MAX_ALLOWED_IPS = 100;

/**
 * Validates the addresses and CIDR ranges of a new API key. An empty list means no restriction.
 *
 * @param bounds addresses and ranges of the API key that creates the new key. The new key may not be used from other
 * addresses. If `given` is empty, the new key gets these addresses and ranges. An empty list means no limit.
 * @throws Invalid with an error for each invalid item
 */
export const requireAllowedIps = (given: readonly string[], bounds: readonly string[]): string[] => {
  const wanted = given.map((text) => text.trim());
  if (wanted.length > MAX_ALLOWED_IPS) {
    throw Invalid.field('allowed_ips', `Must have at most ${MAX_ALLOWED_IPS} items.`);
  }
  const broken = wanted.flatMap((range, index): [string, string[]][] => {
    const sentence = problemOf(range, bounds);
    return sentence === null ? [] : [[`allowed_ips.${index}`, [sentence]]];
  });
  if (broken.length > 0) throw new Invalid({ json: Object.fromEntries(broken) });
  return wanted.length === 0 ? [...bounds] : [...new Set(wanted)];
};

const problemOf = (range: string, bounds: readonly string[]): string | null => {
  if (!isAddressOrRange(range)) return IS_ADDRESS_OR_RANGE;
  if (bounds.length === 0 || bounds.some((bound) => isRangeWithin(range, bound))) return null;
  return 'Must be within the allowed addresses of the API key that creates this one.';
};
