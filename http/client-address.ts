import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { parseRanges } from '../domain/target/policy.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Which proxies are trusted to name the client's address. */
export interface Proxies {
  /** whether a peer is a proxy of ours */
  isTrusted: (address: string) => boolean;
  /** whether there is any */
  any: boolean;
  /**
   * Where a request comes from: if the peer is a proxy of ours, the right-most address in `X-Forwarded-For` that is
   * none. A text that is no address is not believed, nor is anything to its left: only what our proxies wrote counts,
   * and that is to the right.
   */
  clientOf: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string | undefined;
  /** Whether a request came over https, which only a proxy of ours knows: the last `X-Forwarded-Proto` says so. */
  isSecure: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean;
}

/** @param ranges TRUST_PROXY: addresses and CIDR ranges, separated by commas; null: nobody */
export const createProxies = (ranges: string | null): Proxies => {
  const trusted = parseRanges(ranges ?? '');
  const isTrusted = ({ address }: Known): boolean =>
    trusted.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));

  const clientOf: Proxies['clientOf'] = ({ headers, socket }) => {
    const peer = known(socket.remoteAddress ?? '');
    if (trusted.length === 0 || !peer) return peer?.text;
    let client = peer;
    // Node joins repeated headers by commas.
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    while (isTrusted(client)) {
      const hop = hops.pop();
      if (hop === undefined) break;
      if (hop.trim() === '') continue;
      const address = known(withoutPort(hop.trim()));
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

/** An IPv4 address over an IPv6 socket counts as IPv4. Short and octal spellings are no addresses. */
const parsed = (text: string): Address | null => {
  if (text.includes(':')) {
    const plain = text.replace(/%.*$/, '');
    return ipaddr.IPv6.isValid(plain) ? ipaddr.process(plain) : null;
  }
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : null;
};

/** An address, with its texts. */
interface Known {
  address: Address;
  text: string;
  network: string;
}

/** Clients call again and again, so the last addresses are not read anew for each request. */
const recent = new LRUCache<string, Known>({ max: 1_000 });
/** Longer texts are no addresses. */
const LONGEST = 100;

const known = (text: string): Known | null => {
  const before = recent.get(text);
  if (before) return before;
  const address = parsed(text);
  if (!address) return null;
  const read = { address, text: address.toString(), network: networkIn(address) };
  if (text.length <= LONGEST) recent.set(text, read);
  return read;
};

/**
 * What limits count by: an IPv4 address, or the network part of an IPv6 address (64 bits), since whoever has one
 * address of it has them all.
 */
export const networkOf = (text: string): string => known(text)?.network ?? text;

const networkIn = (address: Address): string => {
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
};
