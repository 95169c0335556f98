import { isDomain, MAX_SUBDOMAIN, normalizedDomain } from '../../domain/page/names.ts';

/** Maximum length of a host name (RFC 1035, 2.3.4), minus that of the longest subdomain and its dot. */
const MAX_LENGTH = 253 - MAX_SUBDOMAIN - 1;

/**
 * Parses the domain whose subdomains are pages.
 *
 * @returns its ASCII form, in lower case
 * @throws Error its message continues after the name of the variable
 */
export const publicDomainOf = (text: string): string => {
  if (!isDomain(text)) throw new Error(`must be a domain such as status.example.org, not "${text}".`);
  const domain = normalizedDomain(text);
  if (domain.length > MAX_LENGTH) throw new Error(`must have at most ${MAX_LENGTH} characters.`);
  return domain;
};
