import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import type { GeneralName } from '@peculiar/asn1-x509';
import ipaddr from 'ipaddr.js';

/** A host as certificates have it: lower-case A-labels without a last dot, or an address without brackets. */
export const hostName = (host: string): string => {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return bare;
  const name = bare.replace(/\.$/, '');
  return (domainToASCII(name) || name).toLowerCase();
};

/**
 * Whether a certificate's subject alternative names name a host (RFC 9525, 6): an address only by an address, a name
 * only by a DNS name, whose first label may be a whole `*` for one label. The common name says nothing.
 *
 * @param host of {@link hostName}
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
  // A name of one label stands for all names of the world below `*`.
  return first !== '' && parent !== '' && !parent.includes('*') && rest.join('.') === parent;
};

const sameAddress = (one: string, other: string): boolean =>
  isIP(other) !== 0 &&
  ipaddr.parse(one.replace(/%.*$/, '')).toNormalizedString() === ipaddr.parse(other).toNormalizedString();

/** A name as a person reads it; null for kinds of names that are not for hosts. */
export const nameText = ({ dNSName, iPAddress, rfc822Name, uniformResourceIdentifier }: GeneralName): string | null =>
  dNSName ?? iPAddress ?? uniformResourceIdentifier ?? rfc822Name ?? null;
