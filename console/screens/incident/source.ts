import type { Schemas } from '../../api/openapi.d.ts';
import type { LiveSource } from '../../live/live-data.ts';
import { call } from '../../session/call.ts';

/** The data of the incident screen. */
export interface IncidentView {
  incident: Schemas['Incident'];
  page: Schemas['Page'];
  /** components and groups of the page */
  components: readonly Schemas['Component'][];
}

/** Returns a source that loads an incident with its page. */
export const incidentSource = (page_id: string, incident_id: string): LiveSource<IncidentView> => ({
  load: async (signal) => {
    const [incident, page, components] = await Promise.all([
      call('GET /v1/pages/{page_id}/incidents/{incident_id}', { params: { page_id, incident_id } }, { signal }),
      call('GET /v1/pages/{page_id}', { params: { page_id } }, { signal }),
      call('GET /v1/pages/{page_id}/components', { params: { page_id } }, { signal }),
    ]);
    return { incident, page, components };
  },
  resources: ['incident', 'component', 'page'],
  merge: (view, changes) =>
    changes.some(({ resource, id, page_id: of }) =>
      resource === 'incident' ? id === incident_id : id === page_id || of === page_id,
    )
      ? null
      : view,
});
