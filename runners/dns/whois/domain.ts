import { domainToASCII } from 'node:url';

/**
 * The registrable part of a host name, by the Public Suffix List without the suffixes of private companies; null for an
 * address, a public suffix itself, a reverse name or a name under no public suffix.
 */
export const registrableDomain = async (host: string): Promise<string | null> => {
  // The list takes some memory, which only checks that look up registrations need.
  const { getDomain } = await import('tldts');
  const ascii = domainToASCII(host.replace(/\.$/, ''));
  const domain = getDomain(ascii, { allowPrivateDomains: false, validateHostname: false });
  return domain === null || domain.endsWith('.arpa') ? null : domain;
};

/** `uk` of `example.co.uk`. */
export const topLevelOf = (domain: string): string => domain.slice(domain.lastIndexOf('.') + 1);
