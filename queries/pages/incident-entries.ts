import type { IncidentDocument } from '../../projections/incidents/documents.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { ReadScope } from '../engine/scope.ts';

const FIELDS = ['id', 'kind', 'created_at', 'updated_at', 'resolved_at', 'changed_position'] as const;

/** An incident or a maintenance, without its texts. */
export type IncidentEntry = Pick<IncidentDocument, (typeof FIELDS)[number]>;

/**
 * Lists the incidents and maintenances of a page, newest first.
 *
 * @param limit maximum number; default: no maximum
 */
export const incidentEntries = (
  { read }: Pick<ReadScope, 'read'>,
  { id: page_id }: PageDocument,
  limit?: number,
): Promise<IncidentEntry[]> =>
  read(incidents).incidents.pick(FIELDS, {
    where: { page_id },
    sort: { created_at: -1 },
    ...(limit !== undefined && { limit }),
  });
