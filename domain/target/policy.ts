import ipaddr from 'ipaddr.js';
import { EMBEDDINGS, GLOBAL_UNICAST_V6, SPECIAL_RANGES } from './special-ranges.ts';

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
  /** CIDR ranges or addresses that are allowed although the policy refuses them; comma-separated */
  allow?: string;
  /** CIDR ranges or addresses that are always refused; comma-separated */
  deny?: string;
  /** endpoints to which only this service connects, such as its databases: always refused */
  reserved?: readonly SocketAddress[];
  /** endpoints on which this service listens: refused in the same way, except for health requests */
  listeners?: readonly SocketAddress[];
  /** addresses of this machine's network interfaces, except loopback */
  machine?: readonly string[];
}

/** An endpoint. A port of loopback, `0.0.0.0` or `::` applies to every address of this machine. */
export interface SocketAddress {
  address: string;
  port: number;
}

/** The purpose of a connection. `health`: a single request for the health of this service. */
export type Purpose = 'health';

export interface TargetPolicy {
  /**
   * Checks whether connections to an address are allowed. IPv4 addresses that are embedded in an IPv6
   * address are checked too.
   *
   * @param address in any spelling; a zone is ignored
   * @param port null for protocols without ports, such as ICMP
   * @param purpose default: any
   * @returns null if allowed, otherwise the kind of the address: `link-local`, `private`, `denied`, {@link RESERVED}
   */
  refusal: (address: string, port: number | null, purpose?: Purpose) => string | null;
  /** The refused ports of an allowed address, in ascending order. */
  reservedPorts: (address: string) => readonly number[];
}

/** The kind of a refused port of an allowed address. */
export const RESERVED = 'reserved for this service';

/** An invalid configured list; the message is a sentence without the variable's name. */
export class InvalidRange extends Error {
  constructor(text: string) {
    super(`"${text}" is neither an IP address nor a CIDR range.`);
    this.name = 'InvalidRange';
  }
}

/** Parses a comma-separated list of addresses and CIDR ranges. @throws InvalidRange */
export const parseRanges = (list: string): Range[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseRange);

const parseRange = (text: string): Range => {
  // Reject short and octal spellings, which ipaddr.js would accept and people misread.
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

/** Converts an IPv4-mapped range (`::ffff:192.0.2.0/120`) to IPv4. */
const plainRange = ([base, bits]: Range): Range =>
  base.kind() === 'ipv6' && (base as ipaddr.IPv6).isIPv4MappedAddress() && bits >= MAPPED_BITS
    ? [(base as ipaddr.IPv6).toIPv4Address(), bits - MAPPED_BITS]
    : [base, bits];

const within = (address: Address, [base, bits]: Range): boolean =>
  address.kind() === base.kind() && address.match(base, bits);

const special = SPECIAL_RANGES.map((entry) => ({ ...entry, parsed: ipaddr.parseCIDR(entry.range) }));
const embeddings = EMBEDDINGS.map((entry) => ({ ...entry, parsed: ipaddr.parseCIDR(entry.range) }));
const globalUnicast = ipaddr.parseCIDR(GLOBAL_UNICAST_V6);

/** `::` and `::1` are in the range of IPv4-compatible addresses, but do not embed an IPv4 address. */
const NOT_EMBEDDING: readonly string[] = ['::', '::1'];

/** The address itself, unless it is only another form of an IPv4 address, and its embedded IPv4 addresses. */
const addressesIn = (address: Address): Address[] => {
  if (address.kind() === 'ipv4' || NOT_EMBEDDING.includes((address as ipaddr.IPv6).toRFC5952String())) return [address];
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

/** Allows everything. Only network/policy.ts may use it (eslint.config.js). */
export const UNRESTRICTED_POLICY: TargetPolicy = { refusal: () => null, reservedPorts: () => [] };

/** Ranges that always address this machine. */
const OWN_RANGES = ['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'].map((range) => ipaddr.parseCIDR(range));

/** The normalised text of an address for comparison. */
const keyOf = (address: Address): string => address.toNormalizedString().replace(/%.*$/, '');

/** Parses an address without its zone, which only selects a network interface. */
const parseAddress = (text: string): Address | null =>
  ipaddr.isValid(text) ? ipaddr.parse(text.replace(/%.*$/, '')) : null;

/** Creates a look-up of the ports of endpoints by address. */
const portsOf = (endpoints: readonly SocketAddress[], machine: readonly string[]) => {
  const keysOf = (text: string): Address[] => {
    const address = parseAddress(text);
    return address === null ? [] : addressesIn(address);
  };
  const own = new Set(machine.flatMap(keysOf).map(keyOf));
  const isOwn = (address: Address): boolean =>
    OWN_RANGES.some((range) => within(address, range)) || own.has(keyOf(address));
  const ownPorts = new Set<number>();
  const otherPorts = new Map<string, Set<number>>();
  for (const { address: text, port } of endpoints)
    for (const address of keysOf(text)) {
      if (isOwn(address)) ownPorts.add(port);
      else otherPorts.set(keyOf(address), (otherPorts.get(keyOf(address)) ?? new Set()).add(port));
    }
  return (address: Address): ReadonlySet<number> =>
    (isOwn(address) ? ownPorts : otherPorts.get(keyOf(address))) ?? new Set();
};

/** Only network/policy.ts may use it, so that every policy has the reserved endpoints (eslint.config.js). @throws InvalidRange */
export const createTargetPolicy = (rules: TargetRules): TargetPolicy => {
  const { policy, allow = '', deny = '', reserved = [], listeners = [], machine = [] } = rules;
  const allowed = parseRanges(allow);
  const denied = parseRanges(deny);
  const ofServers = portsOf(reserved, machine);
  const ofAll = portsOf([...reserved, ...listeners], machine);
  const refusalOfOne = (address: Address): string | null => {
    if (denied.some((range) => within(address, range))) return 'denied';
    if (allowed.some((range) => within(address, range))) return null;
    return refusalOf(address, policy);
  };
  const judge = (text: string): Judged => {
    const address = parseAddress(text);
    if (address === null) return { refusal: 'no IP address', ofServers: NO_PORTS, ofAll: NO_PORTS };
    const all = addressesIn(address);
    const portsIn = (taken: typeof ofAll) => new Set(all.flatMap((one) => [...taken(one)]));
    const isDenied = denied.some((range) => within(address, range));
    const refusal = isDenied ? 'denied' : (all.map(refusalOfOne).find((one) => one !== null) ?? null);
    return { refusal, ofServers: portsIn(ofServers), ofAll: portsIn(ofAll) };
  };
  // Cache the results: checks connect to the same addresses repeatedly, and this is their slowest step before that.
  const known = new Map<string, Judged>();
  const judged = (text: string): Judged => {
    const before = known.get(text);
    if (before) return before;
    const result = judge(text);
    if (known.size >= CACHE_SIZE) known.clear();
    if (text.length <= LONGEST_KEY) known.set(text, result);
    return result;
  };
  return {
    refusal: (text, port, purpose) => {
      const { refusal, ...ports } = judged(text);
      if (refusal !== null) return refusal;
      const taken = purpose === 'health' ? ports.ofServers : ports.ofAll;
      return port !== null && taken.has(port) ? RESERVED : null;
    },
    reservedPorts: (text) => [...judged(text).ofAll].sort((one, other) => one - other),
  };
};

/** The cached decision of a policy about an address, which never changes. */
interface Judged {
  /** for all ports; null if allowed */
  refusal: string | null;
  /** reserved ports of an allowed address */
  ofServers: ReadonlySet<number>;
  ofAll: ReadonlySet<number>;
}

const NO_PORTS: ReadonlySet<number> = new Set();

/** Maximum of cached addresses; a few hundred bytes each. */
const CACHE_SIZE = 2_000;
/** Maximum length of an IPv6 address with a zone. Longer texts, which are not addresses, are not cached. */
const LONGEST_KEY = 64;
