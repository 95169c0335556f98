import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { parseRanges } from '../domain/target/policy.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The proxies that are trusted to report the client's address. */
export interface Proxies {
  /** whether an address belongs to a trusted proxy */
  isTrusted: (address: string) => boolean;
  /** whether any proxy is trusted */
  any: boolean;
  /**
   * Returns the address of the client. If the peer is not a trusted proxy, this is the peer's address. Otherwise it is
   * the right-most address in `X-Forwarded-For` that does not belong to a trusted proxy. Trusted proxies append
   * addresses on the right, so an invalid address and everything to its left are ignored.
   */
  clientOf: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string | undefined;
  /**
   * Returns whether the client used https. If the peer is a trusted proxy, the last value of `X-Forwarded-Proto`
   * decides.
   */
  isSecure: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean;
}

/**
 * Parses the trusted proxies.
 *
 * @param ranges value of TRUST_PROXY: addresses and CIDR ranges, separated by commas; null: no proxies
 */
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

/** Removes the port that some proxies add to an address: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
const withoutPort = (text: string): string =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d{1,5}$/, '$1');

/** Parses an address. IPv4-mapped IPv6 addresses are converted to IPv4. Short and octal notations are invalid. */
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

/** Cache of parsed addresses. Each client sends many requests, so most addresses are found in the cache. */
const recent = new LRUCache<string, ParsedAddress>({ max: 1_000 });
/** Maximum length of a text that is cached. Longer texts are not addresses. */
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
 * Returns the key by which limits distinguish clients: an IPv4 address, or the /64 network of an IPv6 address. A client
 * usually has a whole /64 network to itself.
 */
export const networkOf = (text: string): string => known(text)?.network ?? text;

const networkIn = (address: Address): string => {
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
};
