import { mailAddressOf } from '../mail/address.ts';
import { isDomain, normalizedDomain } from '../page/names.ts';

/** Maximum length of a domain. With this limit, the names of its records fit into the 253 characters of a DNS name. */
export const MAX_EMAIL_DOMAIN = 190;
/** Returns the stored form of a domain: ASCII, lower case, without a trailing dot. */
export const storedEmailDomain = normalizedDomain;

/** Whether mail can be sent from a domain. It must be a host name with at least two labels. */
export const isEmailDomain = (text: string): boolean => {
  if (!isDomain(text)) return false;
  const ascii = normalizedDomain(text);
  return ascii.includes('.') && !ascii.includes('_') && ascii.length <= MAX_EMAIL_DOMAIN;
};

/**
 * Returns the stored form of an address, whose domain is in ASCII and lower case. Returns null if the address is
 * invalid or belongs to another domain. The local part must be ASCII, because not every relay accepts other characters.
 */
export const addressAt = (text: string, domain: string): string | null => {
  const found = mailAddressOf(text);
  return found?.domain === domain && /^[\x21-\x7e]+$/.test(found.local) ? found.address : null;
};
