import { passwordOfToken } from '../../domain/page/access-token.ts';
import { isProtected, isReachable } from '../../domain/page/access.ts';
import type { Mac } from '../../domain/signed-token.ts';
import type { Instant } from '../../domain/time.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { Scope } from '../engine/scope.ts';

/** A visitor, who needs no API key. */
export interface Visit {
  read: Scope['read'];
  /** the visitor's address; null if unknown */
  clientAddress: string | null;
  /** the visitor's credential: on a page with a password, a token of `verify-password`; null: none */
  credential: string | null;
  now: Instant;
  /** verifies the signature of a token */
  mac: Mac;
}

/** A visitor's access to a page: granted; requires the password; requires team membership; hidden from the visitor. */
export type PageAccess = 'granted' | 'password' | 'members' | 'hidden';

/** A visitor of the HTML pages, who may have more credentials than a program. */
export interface PageVisitor extends Omit<Visit, 'read' | 'credential'> {
  /** every possible token of `verify-password` */
  tokens: readonly string[];
  /** whether the visitor has signed in as a member of the page's organization; called only if needed */
  isMember: () => Promise<boolean>;
}

/** A visitor's access to a page that was found by its subdomain or its host (docs/reference/visitors.md#who-sees-a-page). */
export const pageAccessOf = async (
  { clientAddress, tokens, isMember, now, mac }: PageVisitor,
  page: PageDocument,
): Promise<PageAccess> => {
  if (!isReachable({ ...page, viewers_must_be_team_members: false }, clientAddress)) return 'hidden';
  // Members need no password, and neither do API keys of the organization.
  if (page.viewers_must_be_team_members) return (await isMember()) ? 'granted' : 'members';
  if (!isProtected(page)) return 'granted';
  for (const token of tokens) if ((await passwordOfToken(token, page, now, mac)) !== null) return 'granted';
  return 'password';
};

/**
 * Whether a visitor sees a page (docs/reference/visitors.md#who-sees-a-page). Everything that is served about a page without an
 * API key calls this.
 */
export const canSeePage = async (
  { clientAddress, credential, now, mac }: Visit,
  page: PageDocument,
): Promise<boolean> =>
  isReachable(page, clientAddress) &&
  (!isProtected(page) || (await passwordOfToken(credential, page, now, mac)) !== null);
