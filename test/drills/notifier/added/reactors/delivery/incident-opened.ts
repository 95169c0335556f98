import { components } from '../../projections/components/projection.ts';
import { openedIncidents, type OpenedIncidentDocument } from '../../projections/opened-incidents/projection.ts';
import { causesIn, type CauseKind } from './cause.ts';

/**
 * Sends a message about an opened incident to each component of its page. The component's description is the address.
 */
export const incidentOpened: CauseKind<OpenedIncidentDocument> = {
  kind: 'incident_opened',
  list: causesIn(openedIncidents, 'opened_incidents'),
  bind: ({ read, keys }) => ({
    receivers: async ({ page_id }, after, limit) => {
      const where = { page_id, ...(after !== null && { id: { $gt: after } }) };
      const page = await read(components).components.find({ where, sort: { id: 1 }, limit });
      return Promise.all(
        page.map(async ({ id, description }) => ({
          id,
          notifier: 'line',
          target: await keys.fingerprint('delivery target', description ?? ''),
        })),
      );
    },
    compose: async ({ cause, receiver_id }) => {
      const component = await read(components).components.get(receiver_id);
      const incident = await read(openedIncidents).opened_incidents.get(cause.id);
      if (!component || !incident) return null;
      const message = { event: 'incident.opened', subject: incident.name, text: '', data: {} };
      return { settings: { address: component.description }, message };
    },
  }),
};
