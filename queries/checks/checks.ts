import { joined, type Listing, type Paging } from '../engine/listing.ts';
import type { Scope } from '../engine/scope.ts';
import { findGroup, inGroup } from './check-groups.ts';
import { detailing, type CheckDetails, type Detailing } from './details.ts';
import { checksInOrder, findCheck, ownChecks, type CheckFilters } from './find.ts';

/** @throws NotFound */
export const checkWithDetails = async (scope: Scope, checkId: string, options: Detailing): Promise<CheckDetails> => {
  const check = await findCheck(scope, checkId);
  return (await detailing(scope, [check], options))(check);
};

export interface CheckSearch extends Omit<CheckFilters, 'group_id'> {
  /** null: checks in no group */
  group_id?: string | null;
}

/** The checks of the organization, newest first. */
export const listChecks = async (
  scope: Scope,
  { group_id, ...search }: CheckSearch,
  paging: Paging,
  options: Detailing,
): Promise<Listing<CheckDetails>> => {
  const filters = { ...search, ...(group_id !== undefined && { group_id: await inGroup(scope, group_id) }) };
  return joined(await ownChecks.list(scope, filters, paging), (items) => detailing(scope, items, options));
};

/** The checks of a group, by position, then by name. @throws NotFound */
export const listChecksOfGroup = async (
  scope: Scope,
  groupId: string,
  search: Omit<CheckFilters, 'group_id'>,
  paging: Paging,
  options: Detailing,
): Promise<Listing<CheckDetails>> => {
  const { id } = await findGroup(scope, groupId);
  const filters = { ...search, group_id: { $eq: id } };
  return joined(await checksInOrder.list(scope, filters, paging), (items) => detailing(scope, items, options));
};
