import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { GeneralName } from '@peculiar/asn1-x509';
import ipaddr from 'ipaddr.js';

/**
 * Returns a host in the spelling of certificates: a lower-case name in ASCII (IDNA) without a trailing dot, or an
 * address without brackets.
 */
export const hostName = (host: string): string => {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return bare;
  const name = bare.replace(/\.$/, '');
  return (domainToASCII(name) || name).toLowerCase();
};

/**
 * Returns whether one of a certificate's subject alternative names matches a host (RFC 9525, 6). An address matches
 * only an address. A name matches only a DNS name, whose first label may be `*`, which matches one label. The common
 * name of the certificate is ignored.
 *
 * @param host result of {@link hostName}
 */
export const isFor = (host: string, names: readonly GeneralName[]): boolean =>
  isIP(host) === 0
    ? names.some(({ dNSName }) => dNSName !== undefined && matches(host, dNSName))
    : names.some(({ iPAddress }) => iPAddress !== undefined && sameAddress(host, iPAddress));

const matches = (host: string, pattern: string): boolean => {
  const name = pattern.toLowerCase().replace(/\.$/, '');
  if (!name.startsWith('*.')) return name === host;
  const [first = '', ...rest] = host.split('.');
  const parent = name.slice(2);
  // `*.example.com` matches `a.example.com`, but not `a.b.example.com`.
  return first !== '' && parent !== '' && !parent.includes('*') && rest.join('.') === parent;
};

const sameAddress = (one: string, other: string): boolean =>
  isIP(other) !== 0 &&
  ipaddr.parse(one.replace(/%.*$/, '')).toNormalizedString() === ipaddr.parse(other).toNormalizedString();

/** Returns a name as text; null for kinds of names that can't be shown as text. */
export const nameText = ({ dNSName, iPAddress, rfc822Name, uniformResourceIdentifier }: GeneralName): string | null =>
  dNSName ?? iPAddress ?? uniformResourceIdentifier ?? rfc822Name ?? null;
