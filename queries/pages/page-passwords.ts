import { requireFound } from '../../domain/existence.ts';
import { isExpired, grantsAccess } from '../../domain/page/access.ts';
import type { PageDocument, PagePasswordDocument } from '../../projections/pages/documents.ts';
import { findPage } from './pages.ts';
import type { Scope } from '../engine/scope.ts';

/** The ids of a password and of its page. */
export interface PagePasswordIds {
  page_id: string;
  password_id: string;
}

export interface ShownPagePassword extends PagePasswordDocument {
  /** Whether the password has expired, so that it does not grant access any more. */
  is_expired: boolean;
}

/** The passwords of a page, newest first. */
export const listPagePasswords = ({ passwords }: PageDocument, { now }: Pick<Scope, 'now'>): ShownPagePassword[] =>
  passwords.map((password) => ({ ...password, is_expired: isExpired(password, now) })).reverse();

/** @throws NotFound */
export const findPagePassword = async (
  scope: Pick<Scope, 'read' | 'organizationId' | 'now'>,
  { page_id, password_id }: PagePasswordIds,
): Promise<ShownPagePassword> => {
  const all = listPagePasswords(await findPage(scope, page_id), scope);
  return requireFound(
    all.find(({ id }) => id === password_id),
    'password',
  );
};

/** Returns the hints of the passwords that currently grant access to a page. */
export const hintsOf = (
  { passwords }: PageDocument,
  { now }: Pick<Scope, 'now'>,
): Pick<PagePasswordDocument, 'name' | 'password_hint'>[] =>
  passwords
    .filter((password) => password.password_hint !== null && grantsAccess(password, now))
    .map(({ name, password_hint }) => ({ name, password_hint }));
