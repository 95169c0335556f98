import type { CheckTypeName } from '../../domain/check/events.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import { joined, listing, type Listing, type Paging } from '../listing.ts';
import type { Scope } from '../scope.ts';
import { detailing, type CheckDetails, type Detailing } from './details.ts';
import { findCheck } from './find.ts';

export interface CheckFilters {
  type?: CheckTypeName;
  status?: CheckDocument['status'];
  /** any part of the name, case ignored */
  name?: string;
  /** null: those in no group */
  group_id?: string | null;
}

/** @throws NotFound */
export const checkWithDetails = async (scope: Scope, checkId: string, asked: Detailing): Promise<CheckDetails> => {
  const check = await findCheck(scope, checkId);
  return (await detailing(scope, [check], asked))(check);
};

/** The checks of the organization, the newest first. */
export const listChecks = async (
  scope: Scope,
  { type, status, name, group_id }: CheckFilters,
  paging: Paging,
  asked: Detailing,
): Promise<Listing<CheckDetails>> => {
  const where = {
    organization_id: scope.organizationId,
    deleted_at: null,
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(name !== undefined && { name: { $contains: name } }),
    ...(group_id !== undefined && { group_id }),
  };
  const found = await listing(scope.read(checks).checks, { where, sort: { created_at: -1 } }, paging);
  return joined(found, (items) => detailing(scope, items, asked));
};
