import { domainToASCII } from 'node:url';

/**
 * The registrable part of a host name by the Public Suffix List, without the suffixes of private companies; null for an
 * address, a public suffix, a reverse name, or a name under no public suffix.
 */
export const registrableDomain = async (host: string): Promise<string | null> => {
  // Loaded on demand: the list takes memory that only checks of registrations need.
  const { getDomain } = await import('tldts');
  const ascii = domainToASCII(host.replace(/\.$/, ''));
  const domain = getDomain(ascii, { allowPrivateDomains: false, validateHostname: false });
  return domain === null || domain.endsWith('.arpa') ? null : domain;
};

/** `uk` of `example.co.uk`. */
export const topLevelOf = (domain: string): string => domain.slice(domain.lastIndexOf('.') + 1);

/** WHOIS servers of public suffixes that the top-level domain's registry doesn't cover. */
const OWN_REGISTRIES: ReadonlyMap<string, string> = new Map([
  ['ac.uk', 'whois.nic.ac.uk'],
  ['gov.uk', 'whois.gov.uk'],
]);

/**
 * The WHOIS server of a domain whose suffix has its own registry; null if the top-level domain's registry is
 * responsible.
 */
export const ownRegistryOf = (domain: string): string | null =>
  OWN_REGISTRIES.get(domain.slice(domain.indexOf('.') + 1)) ?? null;
