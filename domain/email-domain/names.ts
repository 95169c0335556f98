import { mailAddressOf } from '../mail/address.ts';
import { isDomain, normalizedDomain } from '../page/names.ts';

/** Maximum length of a domain: the names of its records fit into the 253 characters of a name. */
export const MAX_EMAIL_DOMAIN = 190;
/** As a domain is stored: ASCII, lower case, without the dot at its end. */
export const storedEmailDomain = normalizedDomain;

/** Whether mail can be sent from a domain: a host name below another one. */
export const isEmailDomain = (text: string): boolean => {
  if (!isDomain(text)) return false;
  const ascii = normalizedDomain(text);
  return ascii.includes('.') && !ascii.includes('_') && ascii.length <= MAX_EMAIL_DOMAIN;
};

/**
 * An address as it is stored: its domain in ASCII and lower case; null if it is none, or of another domain. Not every
 * relay takes a local part beyond ASCII.
 */
export const addressAt = (text: string, domain: string): string | null => {
  const found = mailAddressOf(text);
  return found?.domain === domain && /^[\x21-\x7e]+$/.test(found.local) ? found.address : null;
};
