import type { Mac } from '../signed-token.ts';
import { internetAddressOf, NOT_AN_EMAIL } from '../mail/address.ts';
import { Invalid } from '../errors.ts';

/** The kind of fingerprints of e-mail addresses (`Keys.fingerprint`), and of their reservations. */
export const EMAIL = 'email';

/**
 * The normalised form of an e-mail address for comparison: trimmed, NFC, in lower case, with an ASCII domain. Servers may
 * treat local parts as case-sensitive, but in practice none do. Invalid addresses are normalised too, and match no user.
 */
export const comparedEmail = (text: string): string => {
  const normalized = text.trim().normalize('NFC');
  return (internetAddressOf(normalized)?.address ?? normalized).toLowerCase();
};

/** The fingerprint of an e-mail address, used for look-ups; the same for all spellings. */
export const emailKeyOf = (keys: { fingerprint: Mac }, email: string): Promise<string> =>
  keys.fingerprint(EMAIL, comparedEmail(email));

/** Whether a text is a valid internet e-mail address. */
export const isEmail = (text: string): boolean => addressIn(text) !== null;

const addressIn = (text: string): string | null => internetAddressOf(text.trim().normalize('NFC'))?.address ?? null;

/** Parses an e-mail address into the form in which it is stored and used. @throws Invalid it is not an address */
export const readEmail = (text: string, field = 'email'): string => {
  const address = addressIn(text);
  if (address === null) throw Invalid.field(field, NOT_AN_EMAIL);
  return address;
};
