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
  /** a condition of `inGroup` (queries/checks/check-groups.ts) */
  group_id?: FieldCondition;
}

const inThatGroup: Match<FieldCondition> = (field, condition) => ({ [field]: condition });

const how = {
  where: { deleted_at: null },
  filters: { type: oneOf, status: oneOf, name: containing, tag: tagged, group_id: inThatGroup },
};

export const ownChecks = ownDocuments((read) => read(checks).checks, 'check', { ...how, sort: { created_at: -1 } });

/** The same documents in the order within a group. */
export const checksInOrder = ownDocuments((read) => read(checks).checks, 'check', {
  ...how,
  sort: { position: 1, name: 1 },
});

/** Everything that belongs to a check, including its results, exists only if this finds the check. @throws NotFound */
export const findCheck = ownChecks.one;

/** Like {@link findCheck}, but also finds a deleted check, for restoring it. @throws NotFound if it never existed */
export const findFormerCheck = async (
  { read, organizationId }: Pick<Scope, 'read' | 'organizationId'>,
  checkId: string,
): Promise<CheckDocument> => {
  const check = await read(checks).checks.get(checkId);
  if (check?.organization_id !== organizationId) throw notFound('check');
  return check;
};

/** Whether {@link findCheck} would find it. */
export const hasCheck = ownChecks.has;

/**
 * Ids of the organization's deleted checks whose results must be hidden because some may still be stored: checks
 * deleted after the first instant of the retained results.
 */
export const findDeletedChecks = async ({
  read,
  organizationId,
  resultsFrom,
}: Pick<Scope, 'read' | 'organizationId' | 'resultsFrom'>): Promise<string[]> => {
  const where = { organization_id: organizationId, deleted_at: { $gte: resultsFrom() } };
  return (await read(checks).checks.find({ where })).map(({ id }) => id);
};
