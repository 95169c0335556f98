import { domainToASCII } from 'node:url';

/** An address for e-mail, in parts. */
export interface MailAddress {
  /** `jane.doe`; may have letters of any script (RFC 6531) */
  local: string;
  /** in lower case; of another script: as it is written in the DNS, `xn--bcher-kva.example` */
  domain: string;
  /** both, with `@` between them */
  address: string;
}

/** An address and the name that is shown beside it. */
export interface Mailbox extends MailAddress {
  /** null: there is none */
  name: string | null;
}

/** RFC 5321, 4.5.3.1, in bytes. */
const LONGEST = 254;
const LONGEST_LOCAL = 64;

/** Characters of an atom (RFC 5322, 3.2.3), and those beyond ASCII that can be seen and turn no direction. */
const ATOM = String.raw`[!#$%&'*+/=?^_\x60{|}~\p{L}\p{N}\p{M}\-]+`;
const DOT_ATOM = new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*$`, 'u');
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The address in a text, and nothing else, as it can stand in an envelope and in a header; null if it is none. Local
 * parts in quotes, and addresses of machines (`jane@[127.0.0.1]`), are none.
 */
export const mailAddressOf = (text: string): MailAddress | null => {
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > LONGEST) return null;
  const local = text.slice(0, at);
  if (Buffer.byteLength(local) > LONGEST_LOCAL || !DOT_ATOM.test(local)) return null;
  const written = text.slice(at + 1);
  // The parser of URLs would take out line breaks and blanks, and undo percent signs.
  const domain = /^[\p{L}\p{N}\p{M}.-]+$/u.test(written) ? domainToASCII(written) : '';
  if (!domain.split('.').every((label) => LABEL.test(label))) return null;
  const address = `${local}@${domain}`;
  return Buffer.byteLength(address) > LONGEST ? null : { local, domain, address };
};

/**
 * The same for all spellings of an address. Servers may tell upper from lower case before the `@` (RFC 5321, 2.4), but
 * none do, and people spell their address as they like.
 */
export const mailIdentity = (address: string): string => (mailAddressOf(address)?.address ?? address).toLowerCase();

/** Addresses without those that differ from an earlier one only in case. */
export const distinctAddresses = (addresses: readonly string[]): string[] => {
  const first = new Map<string, string>();
  for (const address of addresses) {
    const identity = mailIdentity(address);
    if (!first.has(identity)) first.set(identity, address);
  }
  return [...first.values()];
};

export const NOT_AN_EMAIL = 'Must be an e-mail address, such as ivan@example.com.';

/** The same on the internet: its domain is no single name and no address of a host. */
export const internetAddressOf = (text: string): MailAddress | null => {
  const mail = mailAddressOf(text);
  return mail && /\.[^.]*[^.\d][^.]*$/.test(mail.domain) ? mail : null;
};

/** `Acme Status <status@example.org>`, or an address alone; null: it is neither. */
export const mailboxOf = (text: string): Mailbox | null => {
  const [, name = '', inBrackets] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? [];
  const address = mailAddressOf(inBrackets ?? text.trim());
  if (!address) return null;
  const shown = shownName(name.trim().replace(/^"(.*)"$/, '$1'));
  return { ...address, name: shown === '' ? null : shown };
};

/** Control characters, line breaks, and marks that turn the direction of what follows. */
const UNSHOWN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** A text as a header shows it: one line that stays as it reads. */
export const shownLine = (text: string): string => text.replace(UNSHOWN, ' ').replace(/ {2,}/g, ' ').trim();

const LONGEST_NAME = 100;

/** A name as it is shown beside an address: it can't pass for an address itself. */
export const shownName = (name: string): string =>
  Array.from(shownLine(name.replace(/[<>"\\]/g, ' ')))
    .slice(0, LONGEST_NAME)
    .join('')
    .trim();
