import { Invalid } from '../errors.ts';
import { IS_ADDRESS_OR_RANGE, isAddressOrRange, isRangeWithin } from '../target/within.ts';

/** How many addresses and ranges an API key may be bound to. */
export const MOST_ALLOWED_IPS = 100;

/**
 * The addresses and CIDR ranges that a new API key works from; none: everywhere.
 *
 * @param bounds those of the key that makes it, which it can't leave; none: there are no bounds
 * @throws Invalid names the place of each that is none
 */
export const checkedAllowedIps = (given: readonly string[], bounds: readonly string[]): string[] => {
  const wanted = given.map((text) => text.trim());
  if (wanted.length > MOST_ALLOWED_IPS) {
    throw Invalid.field('allowed_ips', `Must have at most ${MOST_ALLOWED_IPS} items.`);
  }
  const broken = wanted.flatMap((range, index): [string, string[]][] => {
    const sentence = problemOf(range, bounds);
    return sentence === null ? [] : [[`allowed_ips.${index.toString()}`, [sentence]]];
  });
  if (broken.length > 0) throw new Invalid({ json: Object.fromEntries(broken) });
  return wanted.length === 0 ? [...bounds] : [...new Set(wanted)];
};

const problemOf = (range: string, bounds: readonly string[]): string | null => {
  if (!isAddressOrRange(range)) return IS_ADDRESS_OR_RANGE;
  if (bounds.length === 0 || bounds.some((bound) => isRangeWithin(range, bound))) return null;
  return 'Must lie within what the API key that makes this one works from.';
};
