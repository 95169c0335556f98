import { passwordOfToken } from '../../domain/page/access-token.ts';
import { isProtected, isReachable } from '../../domain/page/access.ts';
import type { Mac } from '../../domain/signed-token.ts';
import type { Instant } from '../../domain/time.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { Scope } from '../engine/scope.ts';

/** A visitor, who needs no API key. */
export interface Visit {
  read: Scope['read'];
  /** IP address of the visitor. Null if unknown. */
  clientAddress: string | null;
  /** Credential of the visitor. For a page with a password, this is a token of `verify-password`. Null without one. */
  credential: string | null;
  now: Instant;
  /** verifies the signature of a token */
  mac: Mac;
}

/**
 * A visitor's access to a page. `password`: denied until the visitor enters the password. `members`: denied to visitors
 * who are not members of the organization. `hidden`: denied without revealing that the page exists.
 */
export type PageAccess = 'granted' | 'password' | 'members' | 'hidden';

/** A visitor of the HTML pages, who can have several credentials. */
export interface PageVisitor extends Omit<Visit, 'read' | 'credential'> {
  /** All tokens in the request that might be tokens of `verify-password`. */
  tokens: readonly string[];
  /** Returns whether the visitor has signed in as a member of the page's organization. Called only if needed. */
  isMember: () => Promise<boolean>;
}

/** Determines a visitor's access to an HTML page (docs/reference/visitors.md#who-sees-a-page). */
export const pageAccessOf = async (
  { clientAddress, tokens, isMember, now, mac }: PageVisitor,
  page: PageDocument,
): Promise<PageAccess> => {
  if (!isReachable({ ...page, viewers_must_be_team_members: false }, clientAddress)) return 'hidden';
  // A page for members has no password check, because members need no password.
  if (page.viewers_must_be_team_members) return (await isMember()) ? 'granted' : 'members';
  if (!isProtected(page)) return 'granted';
  for (const token of tokens) if ((await passwordOfToken(token, page, now, mac)) !== null) return 'granted';
  return 'password';
};

/**
 * Tests whether a visitor is allowed to see a page (docs/reference/visitors.md#who-sees-a-page). Every route that is
 * about a page and needs no API key must call this function.
 */
export const canSeePage = async (
  { clientAddress, credential, now, mac }: Visit,
  page: PageDocument,
): Promise<boolean> =>
  isReachable(page, clientAddress) &&
  (!isProtected(page) || (await passwordOfToken(credential, page, now, mac)) !== null);
