import { joinItems, type Listing, type Paging } from '../engine/listing.ts';
import type { Scope } from '../engine/scope.ts';
import { findCheckGroup, inGroup } from './check-groups.ts';
import { createDetailJoin, type CheckDetails, type DetailOptions } from './details.ts';
import { checksInOrder, findCheck, ownChecks, type CheckFilters } from './find.ts';

/** @throws NotFound */
export const showCheck = async (scope: Scope, checkId: string, options: DetailOptions): Promise<CheckDetails> => {
  const check = await findCheck(scope, checkId);
  return (await createDetailJoin(scope, [check], options))(check);
};

export interface CheckSearch extends Omit<CheckFilters, 'group_id'> {
  /** Matches checks of this group. Null matches checks that are in no group. */
  group_id?: string | null;
}

/** The checks of the organization, newest first. */
export const listChecks = async (
  scope: Scope,
  { group_id, ...search }: CheckSearch,
  paging: Paging,
  options: DetailOptions,
): Promise<Listing<CheckDetails>> => {
  const filters = { ...search, ...(group_id !== undefined && { group_id: await inGroup(scope, group_id) }) };
  return joinItems(await ownChecks.list(scope, filters, paging), (items) => createDetailJoin(scope, items, options));
};

/** The checks of a group, by position, then by name. @throws NotFound */
export const listChecksOfGroup = async (
  scope: Scope,
  groupId: string,
  search: Omit<CheckFilters, 'group_id'>,
  paging: Paging,
  options: DetailOptions,
): Promise<Listing<CheckDetails>> => {
  const { id } = await findCheckGroup(scope, groupId);
  const filters = { ...search, group_id: { $eq: id } };
  return joinItems(await checksInOrder.list(scope, filters, paging), (items) =>
    createDetailJoin(scope, items, options),
  );
};
