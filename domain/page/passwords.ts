import type { EventOf } from '../event-types.ts';
import { changedFields } from '../changes.ts';
import { Conflict, IllegalState, Invalid } from '../errors.ts';
import { requireFound } from '../existence.ts';
import { normalizedPassword, passwordProblem } from '../organization/password.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import type { PagePasswordFields } from './password-events.ts';
import { existing, type ActivePage, type Page, type PagePassword } from './state.ts';
import { grantsAccess } from './access.ts';

/**
 * Maximum number of passwords per page. The limit is low, because all passwords are loaded with the page, and a
 * password that a visitor enters is compared with each of them.
 */
export const MAX_PAGE_PASSWORDS = 20;
export const MAX_HINT = 200;

/** A page password in a request. Absent fields get a default value in a creation, and stay unchanged in a change. */
export type PagePasswordInput = { readonly [F in keyof PagePasswordFields]?: PagePasswordFields[F] | undefined };

export const PAGE_PASSWORD_DEFAULTS: Omit<PagePasswordFields, 'name'> = {
  password_hint: null,
  active: true,
  expires_at: null,
};

/** Returns the name of the key that seals the hashes of a page's passwords. */
export const pagePasswordsKey = (pageId: string): string => `page_passwords-${pageId}`;

/** The name of the field to which a sealed hash is bound. */
export const PAGE_PASSWORD_FIELD = 'password';

export const findPagePassword = (state: Page, id: string): PagePassword =>
  requireFound(existing(state).passwords.get(id), 'password');

/** Returns the passwords that currently open a page, oldest first. @throws NotFound */
export const openingPasswords = (state: Page, now: Instant): PagePassword[] =>
  [...existing(state).passwords.values()].filter((password) => grantsAccess(password, now));

/**
 * Adds a password to a page.
 *
 * @throws NotFound
 * @throws Invalid the expiry is in the past
 * @throws Conflict another password of the page has the name
 * @throws IllegalState the page has the maximum number of passwords
 */
export const addPagePassword = (
  state: Page,
  id: string,
  input: PagePasswordInput & Pick<PagePasswordFields, 'name'>,
  hash: Sealed,
  now: Instant,
): EventOf<'PagePasswordAdded'> => {
  const page = existing(state);
  const { name, password_hint, active, expires_at } = { ...PAGE_PASSWORD_DEFAULTS, ...withoutAbsent(input) };
  if (page.passwords.size >= MAX_PAGE_PASSWORDS) {
    throw new IllegalState(`A page can have at most ${MAX_PAGE_PASSWORDS} passwords.`);
  }
  requireFuture(expires_at, now);
  requireFreeName(page, name, id);
  const password = { name, password_hint, active, expires_at };
  return { type: 'PagePasswordAdded', data: { page_id: page.id, password_id: id, created_at: now, password, hash } };
};

/**
 * Changes a password of a page.
 *
 * @param hash the hash of a new password; null if the password is unchanged
 * @throws NotFound
 * @throws Invalid
 * @throws Conflict
 */
export const changePagePassword = (
  state: Page,
  id: string,
  { name, password_hint, active, expires_at }: PagePasswordInput,
  hash: Sealed | null,
  now: Instant,
): EventOf<'PagePasswordUpdated'>[] => {
  const page = existing(state);
  const { fields } = findPagePassword(state, id);
  const changed = changedFields<PagePasswordFields>(fields, { name, password_hint, active, expires_at });
  if (!changed && !hash) return [];
  const { changes, previous } = changed ?? { changes: {}, previous: {} };
  // Validate the expiry only if it changes, because the stored expiry might be in the past.
  if (changes.expires_at !== undefined) requireFuture(changes.expires_at, now);
  if (changes.name !== undefined) requireFreeName(page, changes.name, id);
  const data = { page_id: page.id, password_id: id, changed_at: now, changes, previous, ...(hash && { hash }) };
  return [{ type: 'PagePasswordUpdated', data }];
};

/** Removes a password, which revokes its tokens. A page without active passwords is public. @throws NotFound */
export const removePagePassword = (state: Page, id: string, now: Instant): EventOf<'PagePasswordRemoved'> => {
  findPagePassword(state, id);
  return { type: 'PagePasswordRemoved', data: { page_id: existing(state).id, password_id: id, removed_at: now } };
};

/**
 * Whether a text that visitors see contains a password, ignoring case.
 *
 * @param text null if there is no text
 */
export const revealsPassword = (text: string | null | undefined, password: string): boolean =>
  typeof text === 'string' && folded(text).includes(folded(password));

/** The error message for a text that contains the password. */
export const REVEALS_PASSWORD = 'Must not contain the password, since visitors see this text.';
/** The fields of a page password that visitors see. */
export const VISIBLE_FIELDS = ['name', 'password_hint'] as const;

/**
 * Validates a password and its fields. Does not apply the rules that involve several passwords of the page, such as
 * unique names. Returns errors by field.
 *
 * @param fields the fields in the request; absent fields are not validated
 * @param stored the stored fields; null for a new password
 */
export const pagePasswordProblems = (
  { password, expires_at, ...fields }: PagePasswordInput & { password?: string | undefined },
  stored: PagePasswordFields | null,
  { common, now }: { common: ReadonlySet<string>; now: Instant },
): Record<string, string[]> => {
  const problems: Record<string, string[]> = {};
  const weak = password === undefined ? null : passwordProblem(password, { common, email: null });
  if (weak !== null) problems['password'] = [weak];
  const shown = { ...stored, ...withoutAbsent(fields) };
  for (const field of VISIBLE_FIELDS) {
    if (weak === null && password !== undefined && revealsPassword(shown[field], password))
      problems[field] = [REVEALS_PASSWORD];
  }
  // Validate the expiry only if it changes, because the stored expiry might be in the past.
  if (expires_at !== undefined && expires_at !== stored?.expires_at && isPast(expires_at, now))
    problems['expires_at'] = [NOT_FUTURE];
  return problems;
};

const folded = (text: string): string => normalizedPassword(text).toLowerCase();

const withoutAbsent = <T extends object>(input: T): { [F in keyof T]: Exclude<T[F], undefined> } =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as never;

const NOT_FUTURE = 'Must be in the future.';

const isPast = (instant: Instant | null, now: Instant): boolean => instant !== null && instant <= now;

const requireFuture = (instant: Instant | null, now: Instant): void => {
  if (isPast(instant, now)) throw Invalid.field('expires_at', NOT_FUTURE);
};

/**
 * Requires that no other password of the page has this name. Names must be unique, because they identify the password
 * that a visitor used.
 */
const requireFreeName = ({ passwords }: ActivePage, name: string, id: string): void => {
  for (const [other, { fields }] of passwords) {
    if (other !== id && folded(fields.name) === folded(name)) {
      throw new Conflict(`The page already has a password named ${fields.name}.`, {
        json: { name: ['Is the name of another password of the page.'] },
      });
    }
  }
};
