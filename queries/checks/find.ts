import type { CheckTypeName } from '../../domain/check/events.ts';
import { noSuch } from '../../domain/lifecycle.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { FieldCondition } from '../../stores/read-store/port.ts';
import { containing, oneOf, tagged, type Match } from '../engine/filters.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import type { Scope } from '../engine/scope.ts';

export interface CheckFilters {
  /** any of these */
  type?: readonly CheckTypeName[];
  /** any of these */
  status?: readonly CheckDocument['status'][];
  /** any part of the name, case ignored */
  name?: string;
  /** it has any of these */
  tag?: readonly string[];
  /** as `inGroup` (queries/checks/check-groups.ts) says */
  group_id?: FieldCondition;
}

const inThatGroup: Match<FieldCondition> = (field, condition) => ({ [field]: condition });

const how = {
  where: { deleted_at: null },
  filters: { type: oneOf, status: oneOf, name: containing, tag: tagged, group_id: inThatGroup },
};

export const ownChecks = ownDocuments((read) => read(checks).checks, 'check', { ...how, sort: { created_at: -1 } });

/** The same in the order of a group. */
export const checksInOrder = ownDocuments((read) => read(checks).checks, 'check', {
  ...how,
  sort: { position: 1, name: 1 },
});

/** Everything below a check, its results included, exists only if this finds the check. @throws NotFound */
export const findCheck = ownChecks.one;

/** As {@link findCheck}, for a check that may have been deleted, before somebody restores it. @throws NotFound there never was one */
export const findFormerCheck = async (
  { read, organizationId }: Pick<Scope, 'read' | 'organizationId'>,
  checkId: string,
): Promise<CheckDocument> => {
  const check = await read(checks).checks.get(checkId);
  if (check?.organization_id !== organizationId) throw noSuch('check');
  return check;
};

/** Whether {@link findCheck} would find it. */
export const hasCheck = ownChecks.has;

/**
 * Ids of the organization's deleted checks whose results are hidden, though some may still be kept: those deleted
 * since the first instant of which results are kept.
 */
export const deletedChecks = async ({
  read,
  organizationId,
  resultsFrom,
}: Pick<Scope, 'read' | 'organizationId' | 'resultsFrom'>): Promise<string[]> => {
  const where = { organization_id: organizationId, deleted_at: { $gte: resultsFrom() } };
  return (await read(checks).checks.find({ where })).map(({ id }) => id);
};
