import type { Instant } from '../domain/time.ts';
import { checks } from '../projections/checks/projection.ts';
import type { Read } from '../projections/readers.ts';

/**
 * Ids of the checks of an organization whose results are not shown any more, though some may still be
 * kept: those deleted since the first instant of which results are kept.
 */
export const deletedChecks = async (organizationId: string, kept: Instant, read: Read): Promise<string[]> => {
  const where = { organization_id: organizationId, deleted_at: { $gte: kept } };
  return (await read(checks).checks.find({ where })).map(({ id }) => id);
};
