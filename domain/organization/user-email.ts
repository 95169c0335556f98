import type { Mac } from '../signed-token.ts';
import { internetAddressOf, NOT_AN_EMAIL } from '../mail/address.ts';
import { Invalid } from '../errors.ts';

/** What fingerprints of e-mails are made for (`Keys.fingerprint`); also the kind of their reservations. */
export const EMAIL = 'email';

/**
 * An e-mail in the form in which it is compared: trimmed, NFC, in lower case, its domain as in the DNS. Servers may
 * tell upper from lower case before the `@`, but none do. A text that is no address stays a text that nobody has.
 */
export const comparedEmail = (text: string): string => {
  const normalized = text.trim().normalize('NFC');
  return (internetAddressOf(normalized)?.address ?? normalized).toLowerCase();
};

/** What e-mails are found by: two spellings of one have the same fingerprint. */
export const emailKeyOf = (keys: { fingerprint: Mac }, email: string): Promise<string> =>
  keys.fingerprint(EMAIL, comparedEmail(email));

/** Whether a text is an address on the internet. */
export const isEmail = (text: string): boolean => addressIn(text) !== null;

const addressIn = (text: string): string | null => internetAddressOf(text.trim().normalize('NFC'))?.address ?? null;

/** The address in a text, as it is kept and written to. @throws Invalid it is none */
export const readEmail = (text: string, field = 'email'): string => {
  const address = addressIn(text);
  if (address === null) throw Invalid.field(field, NOT_AN_EMAIL);
  return address;
};
