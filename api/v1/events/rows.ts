import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import { findAlerts } from '../../../queries/alerts/alerts.ts';
import { showHeartbeats } from '../../../queries/heartbeats/heartbeats.ts';
import { findIncidentSummaries } from '../../../queries/pages/incidents.ts';
import { readOverviewRows } from '../../../queries/overview/overview.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { createPresenter } from '../../presenter.ts';
import { presentHeartbeat } from '../heartbeats/present.ts';
import { AlertRow, IncidentRow, type Row } from './schema.ts';

/** Dependencies for reading rows. */
export interface RowScope extends Pick<Scope, 'read' | 'organizationId' | 'now' | 'resultsFrom'> {
  /** Returns the public URL of a path. */
  addressOf: (path: string) => string;
}

type RowsOf = (scope: RowScope, ids: readonly string[]) => Promise<Row[]>;

const alertRow = createPresenter(AlertRow);
const incidentRow = createPresenter(IncidentRow, ['component_ids']);

/** Functions that read list rows, by kind of resource. Changes of other kinds are sent without a row. */
const ROWS: Readonly<Record<string, RowsOf>> = {
  check: readOverviewRows,
  alert: async (scope, ids) => (await findAlerts(scope, ids)).map((alert) => alertRow(alert)),
  heartbeat: async (scope, ids) =>
    (await showHeartbeats(scope, ids)).map((heartbeat) => presentHeartbeat(heartbeat, scope.addressOf)),
  incident: async (scope, ids) =>
    (await findIncidentSummaries(scope, ids)).map((incident) =>
      incidentRow(incident, { component_ids: [...incident.component_ids] }),
    ),
};

/** Number of documents per read. It is small, because the read runs on the thread that serves requests. */
const AT_ONCE = 100;

/** Tests whether changes of a kind of resource are sent with a row. */
export const hasRows = (resource: string): boolean => resource in ROWS;

/**
 * Reads the current list rows of resources of one kind, by id. Deleted resources are absent.
 *
 * @throws ReadModelLate, ReadModelUnavailable, or an error of the stores
 */
export const readListRows = async (
  resource: string,
  scope: RowScope,
  ids: readonly string[],
): Promise<Map<string, Row>> => {
  const rows = new Map<string, Row>();
  const pause = timeSlices();
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const found = (await ROWS[resource]?.(scope, ids.slice(first, first + AT_ONCE))) ?? [];
    for (const row of found) rows.set(row.id, row);
    await pause();
  }
  return rows;
};
