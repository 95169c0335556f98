import { MAINTENANCE_STATUSES, isResolved } from '../../domain/incident/statuses.ts';
import type { CancelledMaintenanceDocument, IncidentDocument } from '../../projections/incidents/documents.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { ReadScope } from '../engine/scope.ts';
import { readNewestIncidents } from './newest-incidents.ts';

/** The content of a maintenance calendar. */
export interface MaintenanceCalendar<T = IncidentDocument> {
  maintenances: readonly T[];
  /** Maintenances that were deleted before their end. */
  cancelled: readonly CancelledMaintenanceDocument[];
}

const NOT_OVER = MAINTENANCE_STATUSES.filter((status) => !isResolved(status));

/** Maximum number of maintenances of each kind (open, ended, cancelled) that a calendar contains. */
export const MOST_MAINTENANCES = 50;

/**
 * Reads the maintenances of a page: open ones, the newest ended ones, and the most recently cancelled ones.
 *
 * @param shown returns the data of a maintenance that the calendar contains
 */
export const readMaintenanceCalendar = async <T>(
  scope: Pick<ReadScope, 'read'>,
  page: Pick<PageDocument, 'id'>,
  shown: (maintenance: IncidentDocument) => T,
): Promise<MaintenanceCalendar<T>> => {
  const known = new Map<string, T>();
  for (const which of [{ statuses: NOT_OVER }, {}]) {
    const found = readNewestIncidents(scope, page, { ...which, kind: 'maintenance' }, MOST_MAINTENANCES);
    for await (const one of found) if (!known.has(one.id)) known.set(one.id, shown(one));
  }
  const cancelled = await scope.read(incidents).cancelled_maintenances.find({
    where: { page_id: page.id },
    sort: { deleted_at: -1 },
    limit: MOST_MAINTENANCES,
  });
  return { maintenances: [...known.values()], cancelled };
};

/** Finds a maintenance of a page, or its entry if it was cancelled. Returns null if neither exists. */
export const findMaintenanceOrCancelled = async (
  { read }: Pick<ReadScope, 'read'>,
  { id: page_id }: Pick<PageDocument, 'id'>,
  id: string,
): Promise<MaintenanceCalendar | null> => {
  const model = read(incidents);
  const maintenance = await model.incidents.get(id);
  if (maintenance) {
    const isOurs = maintenance.page_id === page_id && maintenance.kind === 'maintenance';
    return isOurs ? { maintenances: [maintenance], cancelled: [] } : null;
  }
  const cancelled = await model.cancelled_maintenances.get(id);
  return cancelled?.page_id === page_id ? { maintenances: [], cancelled: [cancelled] } : null;
};
