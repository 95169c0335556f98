import * as assert from 'uvu/assert';
import type { Component } from '../../../../api/v1/components/schema.ts';
import type { Incident, IncidentUpdate } from '../../../../api/v1/incidents/schema.ts';
import type { UptimeStatistics } from '../../../../queries/uptime/statistics.ts';
import type { Reply } from '../../http.ts';
import type { Service } from '../../service.ts';

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- tests check content by using it
const json = <T>(reply: Reply, status: number): T => {
  assert.is(reply.status, status, reply.text);
  return reply.json() as T;
};

/** Returns the names of the invalid fields in a response. */
export const invalidFields = (reply: Reply, status = 422): string[] => {
  const { errors } = json<{ errors: Record<string, object> }>(reply, status);
  return Object.values(errors)
    .flatMap((fields) => Object.keys(fields))
    .sort();
};

/** Creates a status page, with functions for requests to it. */
export const createStatusPage = async ({ request }: Service, fields: object = {}) => {
  const { id } = json<{ id: string }>(await request('POST', '/v1/pages', { body: { name: 'Acme', ...fields } }), 200);
  const path = `/v1/pages/${id}`;
  const incidents = `${path}/incidents`;
  return {
    id,
    path,
    incidents,
    addComponent: async (name: string, more: object = {}): Promise<string> =>
      json<Component>(await request('POST', `${path}/components`, { body: { name, ...more } }), 201).id,
    component: async (component: string): Promise<Component> =>
      json(await request('GET', `${path}/components/${component}`), 200),
    set: async (component: string, status: string): Promise<Component> =>
      json(await request('PATCH', `${path}/components/${component}`, { body: { status } }), 200),
    open: async (more: object = {}): Promise<Incident> => {
      const body = { name: 'No answer', body: 'We look into it.', status: 'investigating', components: {}, ...more };
      return json(await request('POST', incidents, { body }), 201);
    },
    get: async (incident: string): Promise<Incident> => json(await request('GET', `${incidents}/${incident}`), 200),
    change: async (incident: string, body: object): Promise<Incident> =>
      json(await request('PATCH', `${incidents}/${incident}`, { body }), 200),
    list: async (below = ''): Promise<string[]> =>
      json<Incident[]>(await request('GET', `${incidents}${below}`), 200).map((incident) => incident.id),
    say: async (incident: string, body: object): Promise<IncidentUpdate> =>
      json(await request('POST', `${incidents}/${incident}/incident_updates`, { body }), 201),
    edit: async (incident: string, update: string, body: object): Promise<IncidentUpdate> =>
      json(await request('PATCH', `${incidents}/${incident}/incident_updates/${update}`, { body }), 200),
    logPast: async (more: object): Promise<Incident> => {
      const body = { name: 'Slow', impact: 'minor', ...more };
      return json(await request('POST', `${incidents}/log-past-incident`, { body }), 201);
    },
    uptime: async (component: string, query = ''): Promise<UptimeStatistics> =>
      json(await request('GET', `${path}/components/${component}/uptime${query}`), 200),
    uptimes: async (component_ids: string[], query = ''): Promise<UptimeStatistics[]> =>
      json(await request('POST', `${path}/components/uptime${query}`, { body: { component_ids } }), 200),
  };
};
