import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { parseRanges } from '../domain/target/policy.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The proxies trusted to report the client's address. */
export interface Proxies {
  /** whether a peer is a trusted proxy */
  isTrusted: (address: string) => boolean;
  /** whether there are trusted proxies */
  any: boolean;
  /**
   * The address of the client: the peer, or, if the peer is a trusted proxy, the right-most address in
   * `X-Forwarded-For` that is not a trusted proxy. An invalid address and everything to its left are ignored, since
   * trusted proxies append on the right.
   */
  clientOf: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string | undefined;
  /** Whether a request came over https, by the last `X-Forwarded-Proto` if the peer is a trusted proxy. */
  isSecure: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean;
}

/** @param ranges TRUST_PROXY: addresses and CIDR ranges, separated by commas; null: no proxies */
export const createProxies = (ranges: string | null): Proxies => {
  const trusted = parseRanges(ranges ?? '');
  const isTrusted = ({ address }: ParsedAddress): boolean =>
    trusted.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));

  const clientOf: Proxies['clientOf'] = ({ headers, socket }) => {
    const peer = known(socket.remoteAddress ?? '');
    if (trusted.length === 0 || !peer) return peer?.text;
    let client = peer;
    // Node.js joins repeated headers with commas.
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    while (isTrusted(client)) {
      const last = forwarded.pop();
      if (last === undefined) break;
      if (last.trim() === '') continue;
      const address = known(withoutPort(last.trim()));
      if (!address) break;
      client = address;
    }
    return client.text;
  };

  const isProxy = (text: string): boolean => {
    const address = known(text);
    return address !== null && isTrusted(address);
  };
  return {
    any: trusted.length > 0,
    isTrusted: isProxy,
    clientOf,
    isSecure: ({ headers, socket }) =>
      String(headers['x-forwarded-proto'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
        .toLowerCase() === 'https' && isProxy(socket.remoteAddress ?? ''),
  };
};

/** `192.0.2.7:4711` and `[2001:db8::7]:4711` without the port, which some proxies add. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d{1,5}$/, '$1');

/** Parses an address. IPv4-mapped IPv6 addresses count as IPv4. Short and octal notations are invalid. */
const parsed = (text: string): Address | null => {
  if (text.includes(':')) {
    const plain = text.replace(/%.*$/, '');
    return ipaddr.IPv6.isValid(plain) ? ipaddr.process(plain) : null;
  }
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null;
};

/** A parsed address, with its canonical text and its network. */
interface ParsedAddress {
  address: Address;
  text: string;
  network: string;
}

/** Cache of parsed addresses, since clients send many requests. */
const recent = new LRUCache<string, ParsedAddress>({ max: 1_000 });
/** Longer texts are not cached, since they are not addresses. */
const LONGEST = 100;

const known = (text: string): ParsedAddress | null => {
  const before = recent.get(text);
  if (before) return before;
  const address = parsed(text);
  if (!address) return null;
  const read = { address, text: address.toString(), network: networkIn(address) };
  if (text.length <= LONGEST) recent.set(text, read);
  return read;
};

/**
 * The key that limits count by: an IPv4 address, or the /64 network of an IPv6 address, since a client usually has the
 * whole network.
 */
export const networkOf = (text: string): string => known(text)?.network ?? text;

const networkIn = (address: Address): string => {
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
};
