import ipaddr from 'ipaddr.js';
import { EMBEDDINGS, GLOBAL_UNICAST_V6, SPECIAL_RANGES } from './special-ranges.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * Defines which addresses are allowed as targets:
 *
 * - `internal`: private networks and loopback are allowed, because users monitor their own networks. Link-local
 *   addresses (with cloud metadata), multicast, unspecified and broadcast addresses are refused.
 * - `public`: only globally routable unicast addresses are allowed. For services that several organizations share.
 */
export type TargetPolicyName = 'internal' | 'public';

export interface TargetRules {
  policy: TargetPolicyName;
  /** CIDR ranges or addresses that are allowed even if the policy refuses them, separated by commas */
  allow?: string;
  /** CIDR ranges or addresses that are always refused, separated by commas */
  deny?: string;
  /**
   * Endpoints to which only this service connects, such as its databases. Targets with these endpoints are always
   * refused.
   */
  reserved?: readonly SocketAddress[];
  /** Endpoints on which this service listens. Only requests for its health are allowed to connect to them. */
  listeners?: readonly SocketAddress[];
  /** addresses of this machine's network interfaces, except loopback */
  machine?: readonly string[];
}

/**
 * An endpoint. If the address is loopback, `0.0.0.0` or `::`, the endpoint means the port on every address of this
 * machine.
 */
export interface SocketAddress {
  address: string;
  port: number;
}

/** A purpose with special permission. `health`: a single request for the health of this service. */
export type Purpose = 'health';

export interface TargetPolicy {
  /**
   * Evaluates whether connections to an address are allowed. An IPv4 address that is embedded in an IPv6 address is
   * evaluated too.
   *
   * @param address an IP address in any spelling; its zone is ignored
   * @param port null for protocols without ports, such as ICMP
   * @param purpose default: a connection for any other purpose
   * @returns null if the connection is allowed; otherwise the reason, such as `link-local`, `private`, `denied` or
   * {@link RESERVED}
   */
  refusal: (address: string, port: number | null, purpose?: Purpose) => string | null;
  /** Returns the ports of an allowed address that are refused nevertheless, in ascending order. */
  reservedPorts: (address: string) => readonly number[];
}

/** The reason for refusing a port of an allowed address. */
export const RESERVED = 'reserved for this service';

/**
 * A configured list contains an invalid range. The message is a sentence that does not name the environment variable.
 */
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
  // Reject short and octal spellings such as `10.1`. ipaddr.js accepts them, but people misread them.
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

/**
 * Returns the IPv4 addresses that an address embeds, and the address itself unless it is only another form of an IPv4
 * address.
 */
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

/** Allows every target. Only network/policy.ts is allowed to use it (eslint.config.js). */
export const UNRESTRICTED_POLICY: TargetPolicy = { refusal: () => null, reservedPorts: () => [] };

/** Ranges of addresses that always lead to this machine. */
const OWN_RANGES = ['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'].map((range) => ipaddr.parseCIDR(range));

/** Returns the normalised text of an address, without its zone. Equal addresses have equal texts. */
const keyOf = (address: Address): string => address.toNormalizedString().replace(/%.*$/, '');

/** Parses an address without its zone, which only selects a network interface. */
const parseAddress = (text: string): Address | null =>
  ipaddr.isValid(text) ? ipaddr.parse(text.replace(/%.*$/, '')) : null;

/** Creates a function that returns the ports of all endpoints at an address. */
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

/**
 * Creates a policy. Only network/policy.ts is allowed to call this function (eslint.config.js), so that every policy
 * contains the reserved endpoints.
 *
 * @throws InvalidRange
 */
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
  // Checks connect to the same addresses again and again, and evaluating an address is the slowest step before a
  // connection. So decisions are cached.
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

/** The decision of a policy about an address. It never changes, so it can be cached. */
interface Judged {
  /** the reason why every port is refused; null if the address is allowed */
  refusal: string | null;
  /** ports of an allowed address that are refused for health requests */
  ofServers: ReadonlySet<number>;
  /** ports of an allowed address that are refused for all other connections */
  ofAll: ReadonlySet<number>;
}

const NO_PORTS: ReadonlySet<number> = new Set();

/** Maximum number of cached addresses. Each takes a few hundred bytes. */
const CACHE_SIZE = 2_000;
/**
 * Maximum length of a cached text, in characters. An IPv6 address with a zone is shorter, so a longer text is not an
 * address.
 */
const LONGEST_KEY = 64;
