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

/**
 * Whether a visitor sees a page (docs/decisions.md: Page passwords). Everything that is served about a page without a
 * key asks this.
 */
export const sees = async ({ clientAddress, credential, now, mac }: Visit, page: PageDocument): Promise<boolean> =>
  isReachable(page, clientAddress) &&
  (!isProtected(page) || (await passwordOfToken(credential, page, now, mac)) !== null);
