import anyAscii from 'any-ascii';
import { domainToASCII } from 'node:url';
import { Conflict } from '../errors.ts';
import type { NameClaims } from './events.ts';
import type { PageFields } from './fields.ts';
import type { ActivePage } from './state.ts';

/** The fields of a page that are unique across the service. */
export type NameKind = keyof NameClaims;
export const NAME_KINDS: readonly NameKind[] = ['domain', 'subdomain'];

const MIN_SUBDOMAIN = 2;
export const MAX_SUBDOMAIN = 63;

/** Returns a subdomain in the form in which it is stored, compared and reserved: in lower case. */
export const normalizedSubdomain = (text: string): string => text.toLowerCase();

/**
 * Whether a text is 2 to 63 characters of `[a-z0-9-]` without a hyphen at either end. The case is ignored
 * (docs/reference/pages.md#subdomain).
 */
export const isSubdomain = (text: string): boolean =>
  /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/.test(normalizedSubdomain(text));

/** Returns a custom domain in the form in which it is stored: in lower case, without a trailing dot. */
export const storedDomain = (text: string): string => text.toLowerCase().replace(/\.$/, '');

/**
 * Returns a custom domain in the form in which it is compared and reserved: in ASCII. Returns an empty text if the
 * domain is not a host name.
 */
export const normalizedDomain = (text: string): string => domainToASCII(storedDomain(text));

const LABEL = '[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?';
const HOST_NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`);

/** Whether a text is a host name and not an IP address. Letters of any script are allowed. */
export const isDomain = (text: string): boolean => {
  // Check the characters first, because the conversion to ASCII ignores spaces, and parts such as `/path` after a host.
  if (!/^[\p{L}\p{M}\p{N}._-]+$/u.test(text)) return false;
  const ascii = normalizedDomain(text);
  return HOST_NAME.test(ascii) && !/(?:^|\.)\d+$/.test(ascii);
};

/** Returns a name of a page in the form in which it is reserved. */
export const reservedForm = (kind: NameKind, name: string): string =>
  kind === 'subdomain' ? normalizedSubdomain(name) : normalizedDomain(name);

/**
 * Returns the subdomain or custom domain in a page's fields, in the form in which it is reserved. Returns null if the
 * page has none.
 */
export const reservedName = (kind: NameKind, fields: Pick<PageFields, NameKind>): string | null => {
  const name = fields[kind];
  return name === null ? null : reservedForm(kind, name);
};

/** Whether a name, in the form in which it is reserved, is the present subdomain or custom domain of a page. */
export const holdsName = (page: ActivePage, kind: NameKind, name: string): boolean =>
  reservedName(kind, page.fields) === name;

/** Derives a subdomain from a page's name in any script. If the name is too short, `page` is appended. */
export const subdomainFrom = (name: string): string => {
  const words = anyAscii(name.normalize('NFKC'))
    .toLowerCase()
    // Remove apostrophes, as in `Tom's`. The transliteration also produces them, for letters such as the Russian soft
    // sign.
    .replace(/['"`]/g, '')
    .replace(/[^a-z0-9]+/g, '-');
  const cut = trimmed(trimmed(words).slice(0, MAX_SUBDOMAIN));
  if (cut.length >= MIN_SUBDOMAIN) return cut;
  return cut === '' ? 'page' : `${cut}-page`;
};

/** Returns the nth candidate for a derived subdomain: `acme`, `acme-2`, `acme-3`. */
export const numberedSubdomain = (base: string, n: number): string => {
  if (n === 1) return base;
  const suffix = `-${n}`;
  return `${trimmed(base.slice(0, MAX_SUBDOMAIN - suffix.length))}${suffix}`;
};

const trimmed = (text: string): string => text.replace(/^-+|-+$/g, '');

/**
 * Another page has taken over a name, and has closed the claim of this page on the name. The command for this page then
 * tries to claim the name again. If another page uses the name, this second claim fails with NameTaken.
 */
export class ClaimLost extends Conflict {}

/**
 * Requires that a claim is not closed.
 *
 * @throws ClaimLost
 */
export const assertClaim = (page: ActivePage, kind: NameKind, name: string, claim: number): void => {
  if (claim <= (page.abandoned[kind].get(name) ?? 0))
    throw new ClaimLost(`The ${kind} ${name} was taken by another page.`, { json: { [kind]: ['Is taken.'] } });
};
