import { isIP } from 'node:net';
import type { RecordType } from '../../domain/check/types/dns.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';
import { parseName } from '../../network/dns/canonical-names.ts';

/**
 * Returns the name that a check looks up, in canonical spelling: the host, or the reverse name of an address.
 *
 * @throws ProbeFailure if the host is not a valid name, or is an address and the check is not for PTR records
 */
export const queryName = (host: string, type: RecordType): string => {
  const address = host.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '');
  const family = isIP(address);
  if (family !== 0) {
    if (type !== 'PTR')
      throw new ProbeFailure('failed', 'lookup', `${address} is an address: only its PTR records can be looked up.`);
    return family === 4 ? reverseV4(address) : reverseV6(address);
  }
  const name = parseName(host);
  if (name === undefined)
    throw new ProbeFailure(
      'failed',
      'lookup',
      `${host.slice(0, 100)} can't be a DNS name: each label has 1 to 63 bytes, and the whole name at most 255.`,
    );
  return name;
};

const reversed = (parts: readonly string[], zone: string): string => `${[...parts].reverse().join('.')}.${zone}`;

/** Returns the reverse name of an IPv4 address (RFC 1035, 3.5). */
const reverseV4 = (address: string): string => reversed(address.split('.'), 'in-addr.arpa.');

/** Returns the reverse name of an IPv6 address (RFC 3596, 2.5). */
const reverseV6 = (address: string): string => reversed(digitsOf(address).match(/./g) ?? [], 'ip6.arpa.');

/** Returns the 32 hexadecimal digits of an IPv6 address. */
const digitsOf = (address: string): string => {
  const { hostname } = new URL(`http://[${address}]`);
  const [front = '', back = ''] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) =>
      half === ''
        ? ''
        : half
            .split(':')
            .map((group) => group.padStart(4, '0'))
            .join(''),
    );
  return front + back.padStart(32 - front.length, '0');
};
