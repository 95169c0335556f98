import { isDomain, MAX_SUBDOMAIN, normalizedDomain } from '../../domain/page/names.ts';

/**
 * Maximum length of the domain: the maximum length of a host name (RFC 1035, 2.3.4) minus the longest subdomain and its
 * dot.
 */
const MAX_LENGTH = 253 - MAX_SUBDOMAIN - 1;

/**
 * Parses the domain whose subdomains are status pages.
 *
 * @returns the ASCII form of the domain, in lower case
 * @throws Error the message continues a sentence that begins with the name of the variable
 */
export const publicDomainOf = (text: string): string => {
  if (!isDomain(text)) throw new Error(`must be a domain such as status.example.org, not "${text}".`);
  const domain = normalizedDomain(text);
  if (domain.length > MAX_LENGTH) throw new Error(`must have at most ${MAX_LENGTH} characters.`);
  return domain;
};
