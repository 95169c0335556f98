import { domainToASCII } from 'node:url';

/**
 * Returns the registrable domain of a host name according to the Public Suffix List: `example.co.uk` for
 * `www.example.co.uk`. Ignores suffixes of private companies, such as `github.io`. Returns null for an address, a
 * public suffix, a reverse name, or a name under no public suffix.
 */
export const registrableDomain = async (host: string): Promise<string | null> => {
  // Loaded on demand: the list takes memory, and only checks with `whois_lookup` need it.
  const { getDomain } = await import('tldts');
  const ascii = domainToASCII(host.replace(/\.$/, ''));
  const domain = getDomain(ascii, { allowPrivateDomains: false, validateHostname: false });
  return domain === null || domain.endsWith('.arpa') ? null : domain;
};

/** Returns the top-level domain: `uk` for `example.co.uk`. */
export const topLevelOf = (domain: string): string => domain.slice(domain.lastIndexOf('.') + 1);

/** WHOIS servers by public suffix, for suffixes that have a registry other than that of the top-level domain. */
const OWN_REGISTRIES: ReadonlyMap<string, string> = new Map([
  ['ac.uk', 'whois.nic.ac.uk'],
  ['gov.uk', 'whois.gov.uk'],
]);

/**
 * Returns the WHOIS server of a domain whose suffix has its own registry; null if the registry of the top-level domain
 * is responsible.
 */
export const ownRegistryOf = (domain: string): string | null =>
  OWN_REGISTRIES.get(domain.slice(domain.indexOf('.') + 1)) ?? null;
