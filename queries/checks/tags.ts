import { checks } from '../../projections/checks/projection.ts';
import type { Scope } from '../engine/scope.ts';

/**
 * Returns the ids of the organization's checks with a tag, in the order of ids.
 *
 * @param limit maximum number of ids, which are read from an index
 */
export const findChecksWithTag = async (
  { read, organizationId }: Pick<Scope, 'read' | 'organizationId'>,
  tag: string,
  limit: number,
): Promise<string[]> => {
  const where = { organization_id: organizationId, tag };
  const found = await read(checks).check_tags.pick(['check_id'], { where, sort: { check_id: 1 }, limit });
  return found.map(({ check_id }) => check_id);
};
