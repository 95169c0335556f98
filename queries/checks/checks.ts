import { joined, type Listing, type Paging } from '../listing.ts';
import type { Scope } from '../scope.ts';
import { detailing, type CheckDetails, type Detailing } from './details.ts';
import { findCheck, ownChecks, type CheckFilters } from './find.ts';

/** @throws NotFound */
export const checkWithDetails = async (scope: Scope, checkId: string, asked: Detailing): Promise<CheckDetails> => {
  const check = await findCheck(scope, checkId);
  return (await detailing(scope, [check], asked))(check);
};

/** The checks of the organization, newest first. */
export const listChecks = async (
  scope: Scope,
  filters: CheckFilters,
  paging: Paging,
  asked: Detailing,
): Promise<Listing<CheckDetails>> =>
  joined(await ownChecks.list(scope, filters, paging), (items) => detailing(scope, items, asked));
