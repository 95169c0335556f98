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

/** What a visitor may see of a page that was found by its subdomain or its host (docs/decisions.md: Page passwords). */
export const accessTo = async (
  { clientAddress, credential, now, mac }: Visit,
  page: PageDocument,
): Promise<PageAccess> => {
  if (!isReachable({ ...page, viewers_must_be_team_members: false }, clientAddress)) return 'hidden';
  if (page.viewers_must_be_team_members) return 'members';
  if (isProtected(page) && (await passwordOfToken(credential, page, now, mac)) === null) return 'password';
  return 'granted';
};

/**
 * Whether a visitor sees a page (docs/decisions.md: Page passwords). Everything that is served about a page without a
 * key asks this.
 */
export const sees = async ({ clientAddress, credential, now, mac }: Visit, page: PageDocument): Promise<boolean> =>
  isReachable(page, clientAddress) &&
  (!isProtected(page) || (await passwordOfToken(credential, page, now, mac)) !== null);
