import { NotFound } from '../../domain/errors.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { Reading, Scope } from '../scope.ts';

/** Whatever stands below a check, its results too, is there only if this finds it. @throws NotFound */
export const findCheck = async (scope: Reading, checkId: string): Promise<CheckDocument> => {
  const check = await scope.read(checks).checks.get(checkId);
  if (!isThere(check, scope)) throw new NotFound('There is no such check.');
  return check;
};

/** Whether {@link findCheck} would find it. */
export const hasCheck = async (scope: Reading, checkId: string): Promise<boolean> =>
  isThere(await scope.read(checks).checks.get(checkId), scope);

const isThere = (
  check: CheckDocument | null,
  { organizationId }: Pick<Scope, 'organizationId'>,
): check is CheckDocument => check?.organization_id === organizationId && check.deleted_at === null;

/**
 * Ids of the checks of the organization whose results are not there any more, though some may still be kept: those
 * deleted since the first instant of which results are kept.
 */
export const deletedChecks = async ({
  read,
  organizationId,
  resultsFrom,
}: Pick<Scope, 'read' | 'organizationId' | 'resultsFrom'>): Promise<string[]> => {
  const where = { organization_id: organizationId, deleted_at: { $gte: resultsFrom() } };
  return (await read(checks).checks.find({ where })).map(({ id }) => id);
};
