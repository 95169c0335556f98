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
  /** what only this service itself connects to: refused, whatever else allows it */
  reserved?: readonly SocketAddress[];
  /** where this service itself listens: refused in the same way, except to requests for its health */
  listeners?: readonly SocketAddress[];
  /** addresses of this machine's network interfaces, besides loopback */
  machine?: readonly string[];
}

/** A port of an address; a port of loopback, of `0.0.0.0` or of `::` is that port of every address of this machine. */
export interface SocketAddress {
  address: string;
  port: number;
}

/** What a connection is for, where that matters: `health` is one request for the health of this service, and no more. */
export type Purpose = 'health';

export interface TargetPolicy {
  /**
   * Whether an address may be connected to, judged together with every IPv4 address that an IPv6
   * address stands for.
   *
   * @param address as the system gives it or a connection reports it; any spelling, a zone is ignored
   * @param port null: none is connected to, as by ICMP
   * @param purpose absent: anything
   * @returns null if it may, otherwise its kind: `link-local`, `private`, `denied`, {@link RESERVED}
   */
  refusal: (address: string, port: number | null, purpose?: Purpose) => string | null;
  /** The ports of an address that are refused although the address is not, in ascending order. */
  reservedPorts: (address: string) => readonly number[];
}

/** The kind of an endpoint that may not be connected to although its address may. */
export const RESERVED = 'reserved for this service';

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

/** Nothing is judged. Only network/policy.ts uses it (eslint.config.js). */
export const ANYWHERE: TargetPolicy = { refusal: () => null, reservedPorts: () => [] };

/** Whatever is bound to all addresses of a machine is reached by each of these. */
const OWN_RANGES = ['127.0.0.0/8', '0.0.0.0/8', '::1/128', '::/128'].map((range) => ipaddr.parseCIDR(range));

/** Every spelling of an address as one text, so that equal ones are equal. */
const keyOf = (address: Address): string => address.toNormalizedString().replace(/%.*$/, '');

/** Without a zone, which says how to get there and not where. */
const parseAddress = (text: string): Address | null =>
  ipaddr.isValid(text) ? ipaddr.parse(text.replace(/%.*$/, '')) : null;

/** The ports of an address that some endpoints take. */
const portsOf = (endpoints: readonly SocketAddress[], machine: readonly string[]) => {
  const keysOf = (text: string): Address[] => {
    const address = parseAddress(text);
    return address === null ? [] : addressesIn(address);
  };
  const own = new Set(machine.flatMap(keysOf).map(keyOf));
  const isOwn = (address: Address): boolean =>
    OWN_RANGES.some((range) => within(address, range)) || own.has(keyOf(address));
  const everywhere = new Set<number>();
  const elsewhere = new Map<string, Set<number>>();
  for (const { address: text, port } of endpoints)
    for (const address of keysOf(text)) {
      if (isOwn(address)) everywhere.add(port);
      else elsewhere.set(keyOf(address), (elsewhere.get(keyOf(address)) ?? new Set()).add(port));
    }
  return (address: Address): ReadonlySet<number> =>
    (isOwn(address) ? everywhere : elsewhere.get(keyOf(address))) ?? new Set();
};

/** Only network/policy.ts uses it, so that no policy lacks what is reserved (eslint.config.js). @throws InvalidRange */
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
  // Judging takes longer than all else that a check does before it connects, and checks go to the same addresses again.
  const known = new Map<string, Judged>();
  const judged = (text: string): Judged => {
    const before = known.get(text);
    if (before) return before;
    const anew = judge(text);
    if (known.size >= MOST_KNOWN) known.clear();
    if (text.length <= LONGEST) known.set(text, anew);
    return anew;
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

/** What a policy says about an address, which never changes. */
interface Judged {
  /** at any port */
  refusal: string | null;
  /** ports that are reserved although the address is not refused */
  ofServers: ReadonlySet<number>;
  ofAll: ReadonlySet<number>;
}

const NO_PORTS: ReadonlySet<number> = new Set();

/** How many addresses a policy remembers; a few hundred bytes each. */
const MOST_KNOWN = 2_000;
/** Characters of an IPv6 address with a zone; names that are no addresses may have more. */
const LONGEST = 64;
