import type { CheckTypeName } from '../../domain/check/events.ts';
import { notFound } from '../../domain/existence.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { FieldCondition } from '../../stores/read-store/port.ts';
import { containing, oneOf, tagged, type Match } from '../engine/filters.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import type { Scope } from '../engine/scope.ts';

export interface CheckFilters {
  /** Matches any of these values. */
  type?: readonly CheckTypeName[];
  /** Matches any of these values. */
  status?: readonly CheckDocument['status'][];
  /** Matches any part of the name, ignoring case. */
  name?: string;
  /** Matches items with any of these tags. */
  tag?: readonly string[];
  /** Condition created by `inGroup` (queries/checks/check-groups.ts). */
  group_id?: FieldCondition;
}

const inThatGroup: Match<FieldCondition> = (field, condition) => ({ [field]: condition });

const how = {
  where: { deleted_at: null },
  filters: { type: oneOf, status: oneOf, name: containing, tag: tagged, group_id: inThatGroup },
};

export const ownChecks = ownDocuments((read) => read(checks).checks, 'check', { ...how, sort: { created_at: -1 } });

/** The checks of an organization, in the order that they have within a group. */
export const checksInOrder = ownDocuments((read) => read(checks).checks, 'check', {
  ...how,
  sort: { position: 1, name: 1 },
});

/**
 * Finds a check. Callers must not show anything of a check that is not found, such as its results.
 *
 * @throws NotFound
 */
export const findCheck = ownChecks.one;

/** Finds a check even if it was deleted, so that it can be restored. @throws NotFound if it never existed */
export const findFormerCheck = async (
  { read, organizationId }: Pick<Scope, 'read' | 'organizationId'>,
  checkId: string,
): Promise<CheckDocument> => {
  const check = await read(checks).checks.get(checkId);
  if (check?.organization_id !== organizationId) throw notFound('check');
  return check;
};

/** Tests whether the organization has a check that is not deleted. */
export const hasCheck = ownChecks.has;

/**
 * Returns the ids of deleted checks whose results might still be stored and must be hidden: checks that were deleted
 * within the retention period of results.
 */
export const findDeletedChecks = async ({
  read,
  organizationId,
  resultsFrom,
}: Pick<Scope, 'read' | 'organizationId' | 'resultsFrom'>): Promise<string[]> => {
  const where = { organization_id: organizationId, deleted_at: { $gte: resultsFrom() } };
  return (await read(checks).checks.find({ where })).map(({ id }) => id);
};
