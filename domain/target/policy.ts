import ipaddr from 'ipaddr.js';
import { EMBEDDINGS, GLOBAL_UNICAST_V6, SPECIAL_RANGES } from './ranges.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * `internal`: private networks and loopback are allowed, since people monitor their own; link-local
 * with cloud metadata, multicast, unspecified and broadcast are not. `public`: only globally routable
 * unicast, for services that several organizations share.
 */
export type TargetPolicyName = 'internal' | 'public';

export interface TargetRules {
  policy: TargetPolicyName;
  /** CIDR ranges or addresses that the policy refuses but are allowed; comma-separated */
  allow?: string;
  /** CIDR ranges or addresses that are refused, whatever else allows them; comma-separated */
  deny?: string;
}

export interface TargetPolicy {
  /**
   * Whether an address may be connected to, judged together with every IPv4 address that an IPv6
   * address stands for.
   *
   * @param address as the system gives it or a connection reports it; any spelling, a zone is ignored
   * @returns null if it may, otherwise its kind: `link-local`, `private`, `denied`
   */
  refusal: (address: string) => string | null;
}

/** A configured list that can't be read; the message is a sentence without the variable's name. */
export class InvalidRange extends Error {
  constructor(text: string) {
    super(`"${text}" is neither an IP address nor a CIDR range.`);
    this.name = 'InvalidRange';
  }
}

/** Reads a comma-separated list of addresses and CIDR ranges. @throws InvalidRange */
export const parseRanges = (list: string): Range[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseRange);

const parseRange = (text: string): Range => {
  // ipaddr.js would also accept short and octal spellings, which people misread.
  if (ipaddr.IPv4.isValidFourPartDecimal(text.split('/')[0] ?? '') || text.includes(':')) {
    if (ipaddr.isValidCIDR(text)) return plainRange(ipaddr.parseCIDR(text));
    if (ipaddr.isValid(text)) {
      const address = ipaddr.parse(text);
      return plainRange([address, address.kind() === 'ipv4' ? 32 : 128]);
    }
  }
  throw new InvalidRange(text);
};

const MAPPED_BITS = 96;

/** A range of IPv4 addresses that is written as programs on IPv6 sockets show them (`::ffff:192.0.2.0/120`). */
const plainRange = ([base, bits]: Range): Range =>
  base.kind() === 'ipv6' && (base as ipaddr.IPv6).isIPv4MappedAddress() && bits >= MAPPED_BITS
    ? [(base as ipaddr.IPv6).toIPv4Address(), bits - MAPPED_BITS]
    : [base, bits];

const within = (address: Address, [base, bits]: Range): boolean =>
  address.kind() === base.kind() && address.match(base, bits);

const special = SPECIAL_RANGES.map((entry) => ({ ...entry, parsed: ipaddr.parseCIDR(entry.range) }));
const embeddings = EMBEDDINGS.map((entry) => ({ ...entry, parsed: ipaddr.parseCIDR(entry.range) }));
const globalUnicast = ipaddr.parseCIDR(GLOBAL_UNICAST_V6);

/** `::` and `::1` lie in the range of IPv4-compatible addresses but stand for themselves. */
const STANDS_FOR_ITSELF: readonly string[] = ['::', '::1'];

/** The address itself, unless it only stands for another one, and the IPv4 addresses inside it. */
const addressesIn = (address: Address): Address[] => {
  if (address.kind() === 'ipv4' || STANDS_FOR_ITSELF.includes((address as ipaddr.IPv6).toRFC5952String()))
    return [address];
  const bytes = address.toByteArray();
  const found = embeddings.filter((embedding) => within(address, embedding.parsed));
  const inner = found.flatMap(({ bytes: places, inverted, oneOfSeveral }) => {
    const four = places.map((place) => (bytes[place] ?? 0) ^ (inverted ? 0xff : 0));
    return oneOfSeveral && four.every((byte) => byte === 0) ? [] : [ipaddr.fromByteArray(four)];
  });
  return found.some(({ transparent }) => transparent) ? inner : [address, ...inner];
};

const refusalOf = (address: Address, policy: TargetPolicyName): string | null => {
  const known = special.find(({ parsed }) => within(address, parsed));
  if (known) return policy === 'internal' && known.internal ? null : known.kind;
  if (policy === 'public' && address.kind() === 'ipv6' && !within(address, globalUnicast))
    return 'not globally routable';
  return null;
};

/** @throws InvalidRange */
export const createTargetPolicy = ({ policy, allow = '', deny = '' }: TargetRules): TargetPolicy => {
  const allowed = parseRanges(allow);
  const denied = parseRanges(deny);
  const refusalOfOne = (address: Address): string | null => {
    if (denied.some((range) => within(address, range))) return 'denied';
    if (allowed.some((range) => within(address, range))) return null;
    return refusalOf(address, policy);
  };
  return {
    refusal: (text) => {
      if (!ipaddr.isValid(text)) return 'no IP address';
      const address = ipaddr.parse(text.replace(/%.*$/, ''));
      if (denied.some((range) => within(address, range))) return 'denied';
      for (const one of addressesIn(address)) {
        const refusal = refusalOfOne(one);
        if (refusal !== null) return refusal;
      }
      return null;
    },
  };
};
