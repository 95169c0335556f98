import { domainToASCII } from 'node:url';

/** A parsed e-mail address. */
export interface MailAddress {
  /** part before the `@`: `jane.doe`; may contain letters of any script (RFC 6531) */
  local: string;
  /** domain in lower case and ASCII: `xn--bcher-kva.example` */
  domain: string;
  /** `local@domain` */
  address: string;
}

/** An address with a display name. */
export interface Mailbox extends MailAddress {
  /** null without a name */
  name: string | null;
}

/** Maximum lengths of an address and of its local part in bytes (RFC 5321, 4.5.3.1). */
const LONGEST = 254;
const LONGEST_LOCAL = 64;

/** Characters of an atom (RFC 5322, 3.2.3), or visible non-ASCII characters without direction marks. */
const ATOM = String.raw`[!#$%&'*+/=?^_\x60{|}~\p{L}\p{N}\p{M}\-]+`;
const DOT_ATOM = new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*$`, 'u');
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Parses a text that is exactly one address, usable in an envelope and in a header. Returns null for any other text.
 * Quoted local parts and address literals (`jane@[127.0.0.1]`) are not accepted.
 */
export const mailAddressOf = (text: string): MailAddress | null => {
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > LONGEST) return null;
  const local = text.slice(0, at);
  if (Buffer.byteLength(local) > LONGEST_LOCAL || !DOT_ATOM.test(local)) return null;
  const written = text.slice(at + 1);
  // Check the characters first, because the URL parser would remove line breaks and blanks, and decode percent signs.
  const domain = /^[\p{L}\p{N}\p{M}.-]+$/u.test(written) ? domainToASCII(written) : '';
  if (!domain.split('.').every((label) => LABEL.test(label))) return null;
  const address = `${local}@${domain}`;
  return Buffer.byteLength(address) > LONGEST ? null : { local, domain, address };
};

/**
 * Returns an address in lower case, for comparisons. Servers may treat local parts as case-sensitive (RFC 5321, 2.4),
 * but in practice no server does.
 */
export const mailIdentity = (address: string): string => (mailAddressOf(address)?.address ?? address).toLowerCase();

/**
 * Removes duplicate addresses from a list. Addresses that differ only in case are duplicates, and the first one stays.
 */
export const distinctAddresses = (addresses: readonly string[]): string[] => {
  const first = new Map<string, string>();
  for (const address of addresses) {
    const identity = mailIdentity(address);
    if (!first.has(identity)) first.set(identity, address);
  }
  return [...first.values()];
};

export const NOT_AN_EMAIL = 'Must be an e-mail address, such as ivan@example.com.';

/**
 * Parses an address that can be reached on the internet: its domain has at least two labels and is not an IP address.
 */
export const internetAddressOf = (text: string): MailAddress | null => {
  const mail = mailAddressOf(text);
  return mail && /\.[^.]*[^.\d][^.]*$/.test(mail.domain) ? mail : null;
};

/** Parses `Acme Status <status@example.org>`, or an address alone. Returns null for any other text. */
export const mailboxOf = (text: string): Mailbox | null => {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? [];
  const address = mailAddressOf(inBrackets ?? text.trim());
  if (!address) return null;
  const shown = displayedName(name.trim().replace(/^"(.*)"$/, '$1'));
  return { ...address, name: shown === '' ? null : shown };
};

/** Control characters, line breaks, and direction marks. */
const UNSHOWN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Converts a text for use in a header: to one line without direction marks. */
export const withVisibleCharacters = (text: string): string => text.replace(UNSHOWN, ' ').replace(/ {2,}/g, ' ').trim();

const LONGEST_NAME = 100;

/** Converts a display name for an address. Characters that would make the name look like an address are removed. */
export const displayedName = (name: string): string =>
  Array.from(withVisibleCharacters(name.replace(/[<>"\\]/g, ' ')))
    .slice(0, LONGEST_NAME)
    .join('')
    .trim();
