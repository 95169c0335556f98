import { passwordOfToken } from '../../domain/page/access-token.ts';
import { isProtected, isReachable } from '../../domain/page/visitors.ts';
import type { Mac } from '../../domain/signed-token.ts';
import type { Instant } from '../../domain/time.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { Scope } from '../engine/scope.ts';

/** A visitor, who needs no key. */
export interface Visit {
  read: Scope['read'];
  /** the visitor's address; null if unknown */
  clientAddress: string | null;
  /** what the visitor shows: on a page with a password, a token of `verify-password`; null: nothing */
  credential: string | null;
  now: Instant;
  /** checks the signature of a token */
  mac: Mac;
}

/** What keeps a visitor from a page: nothing, its password, being no member of its team, or that it is hidden from them. */
export type PageAccess = 'granted' | 'password' | 'members' | 'hidden';

/** A visitor of the pages themselves, who may show more than a program. */
export interface PageVisitor extends Omit<Visit, 'read' | 'credential'> {
  /** everything that may be a token of `verify-password` */
  tokens: readonly string[];
  /** whether the visitor has signed in as a member of the page's organization; asked only where that matters */
  isMember: () => Promise<boolean>;
}

/** What a visitor may see of a page that was found by its subdomain or its host (docs/decisions.md: Status pages). */
export const accessTo = async (
  { clientAddress, tokens, isMember, now, mac }: PageVisitor,
  page: PageDocument,
): Promise<PageAccess> => {
  if (!isReachable({ ...page, viewers_must_be_team_members: false }, clientAddress)) return 'hidden';
  // Members need no password, as keys of the organization need none.
  if (page.viewers_must_be_team_members) return (await isMember()) ? 'granted' : 'members';
  if (!isProtected(page)) return 'granted';
  for (const token of tokens) if ((await passwordOfToken(token, page, now, mac)) !== null) return 'granted';
  return 'password';
};

/**
 * Whether a visitor sees a page (docs/decisions.md: Page passwords). Everything that is served about a page without a
 * key asks this.
 */
export const sees = async ({ clientAddress, credential, now, mac }: Visit, page: PageDocument): Promise<boolean> =>
  isReachable(page, clientAddress) &&
  (!isProtected(page) || (await passwordOfToken(credential, page, now, mac)) !== null);
