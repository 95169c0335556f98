import type { IncidentDocument } from '../../../projections/incidents/documents.ts';
import { findIncident, type IncidentIds } from '../../../queries/pages/incidents.ts';
import type { ReadScope } from '../../../queries/engine/scope.ts';
import { Id } from '../../schema.ts';
import { pageParams } from '../pages/params.ts';

/** Parameters of paths below `/v1/pages/{page_id}/incidents/{incident_id}`. */
export const incidentParams = { ...pageParams, incident_id: Id };

/** Finds the incident that the path names. @throws NotFound */
export const findIncidentInPath = ({
  params,
  scope,
}: {
  params: IncidentIds;
  scope: ReadScope;
}): Promise<IncidentDocument> => findIncident(scope, params);
