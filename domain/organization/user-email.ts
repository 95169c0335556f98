import type { Mac } from '../signed-token.ts';
import { internetAddressOf, NOT_AN_EMAIL } from '../mail/address.ts';
import { Invalid } from '../errors.ts';

/** The kind under which e-mail addresses are fingerprinted (`Keys.fingerprint`) and reserved. */
export const EMAIL = 'email';

/**
 * Returns an e-mail address in the form in which addresses are compared: trimmed, NFC, in lower case, with an ASCII
 * domain. Servers may treat local parts as case-sensitive, but in practice none do. Invalid addresses are normalised
 * too; they match no user.
 */
export const comparedEmail = (text: string): string => {
  const normalized = text.trim().normalize('NFC');
  return (internetAddressOf(normalized)?.address ?? normalized).toLowerCase();
};

/** Returns the fingerprint of an e-mail address, with which users are looked up. It is the same for all spellings. */
export const emailKeyOf = (keys: { fingerprint: Mac }, email: string): Promise<string> =>
  keys.fingerprint(EMAIL, comparedEmail(email));

/** Whether a text is a valid internet e-mail address. */
export const isEmail = (text: string): boolean => addressIn(text) !== null;

const addressIn = (text: string): string | null => internetAddressOf(text.trim().normalize('NFC'))?.address ?? null;

/** Parses an e-mail address into the form in which it is stored and used. @throws Invalid the text is not an address */
export const readEmail = (text: string, field = 'email'): string => {
  const address = addressIn(text);
  if (address === null) throw Invalid.field(field, NOT_AN_EMAIL);
  return address;
};
