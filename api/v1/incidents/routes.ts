import { Type } from '@sinclair/typebox';
import { MAINTENANCE_STATUSES } from '../../../domain/incident/statuses.ts';
import { parseInstant } from '../../../domain/time.ts';
import { components } from '../../../projections/components/projection.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import type { Where } from '../../../stores/read-store/port.ts';
import { created, noContent, ok, route, type Route } from '../../route.ts';
import { choice, Id } from '../../schema.ts';
import { afterStatusOfNamed } from './fact-time.ts';
import { findPage, pageParams, PageParams } from '../pages/find-page.ts';
import { brokenChanging, brokenLogging, brokenOpening, knownComponents } from './refusals.ts';
import { Incident, IncidentChange, NewIncident, NewPastIncident, sentMap } from './schema.ts';
import { findIncident, showIncident, shownIncidents } from './shown.ts';

const tag = 'Incidents';
const all = '/v1/pages/{page_id}/incidents';
const byId = `${all}/{incident_id}`;
const IncidentParams = Type.Object({ ...pageParams, incident_id: Id });
const NEWEST_FIRST = { created_at: -1 } as const;
const ofComponent = { component_id: Type.Optional({ ...Id, description: 'only those that name this component' }) };
/** A write is answered from the incident and the components that it names. */
const waitsFor = [incidents.name, components.name];

/** @param componentId only of those that name it; no list is read in part */
const list = async (where: Where, componentId: string | undefined, read: Read): Promise<Incident[]> => {
  const found = await read(incidents).incidents.find({ where, sort: NEWEST_FIRST });
  const wanted = componentId === undefined ? found : found.filter((one) => one.component_ids.includes(componentId));
  return shownIncidents(wanted, read);
};

/** Regular incidents that name a component. */
const listOfComponent = async (pageId: string, componentId: string, read: Read): Promise<Incident[]> => {
  const model = read(incidents);
  const where = { page_id: pageId, component_id: componentId, kind: 'regular' };
  const links = await model.incident_components.find({ where, sort: NEWEST_FIRST });
  return shownIncidents(await model.incidents.getMany(links.map(({ incident_id }) => incident_id)), read);
};

export const incidentRoutes: Route[] = [
  route({
    methods: ['get'],
    path: all,
    summary: 'The incidents of a page, the newest first',
    tag,
    access: { needs: 'incidents.read' },
    params: PageParams,
    query: Type.Object(ofComponent),
    answers: { 200: Type.Array(Incident) },
    find: findPage,
    handle: ({ params: { page_id }, query: { component_id }, read }) =>
      ok(() =>
        component_id === undefined
          ? list({ page_id, kind: 'regular' }, undefined, read)
          : listOfComponent(page_id, component_id, read),
      ),
  }),
  route({
    methods: ['post'],
    path: all,
    summary: 'Open an incident, or schedule a maintenance',
    tag,
    access: { needs: 'incidents.write' },
    params: PageParams,
    body: NewIncident,
    answers: { 201: Incident },
    waitsFor,
    find: findPage,
    alsoRefused: async ({ params: { page_id }, body, read }) =>
      brokenOpening(body, await knownComponents(page_id, read)),
    handle: async ({ params: { page_id }, body, context, commands, read }) => {
      const after = await afterStatusOfNamed(Object.keys(body.components), context, read);
      const incident_id = await commands.incidents.open(page_id, body, after);
      return created(`/v1/pages/${page_id}/incidents/${incident_id}`, incident_id, () =>
        showIncident({ params: { page_id, incident_id }, context, read }),
      );
    },
  }),
  route({
    methods: ['get'],
    path: `${all}/unresolved`,
    summary: 'The incidents of a page that are open, the newest first',
    tag,
    access: { needs: 'incidents.read' },
    params: PageParams,
    query: Type.Object(ofComponent),
    answers: { 200: Type.Array(Incident) },
    find: findPage,
    handle: ({ params: { page_id }, query: { component_id }, read }) =>
      ok(() => list({ page_id, kind: 'regular', resolved_at: null }, component_id, read)),
  }),
  route({
    methods: ['get'],
    path: `${all}/maintenance`,
    summary: 'The maintenances of a page in one status, the newest first',
    tag,
    access: { needs: 'incidents.read' },
    params: PageParams,
    query: Type.Object({
      ...ofComponent,
      status: Type.Optional({ ...choice(MAINTENANCE_STATUSES), default: 'scheduled' }),
    }),
    answers: { 200: Type.Array(Incident) },
    find: findPage,
    handle: ({ params: { page_id }, query: { status = 'scheduled', component_id }, read }) =>
      ok(() => list({ page_id, kind: 'maintenance', status }, component_id, read)),
  }),
  route({
    methods: ['post'],
    path: `${all}/log-past-incident`,
    summary: 'Write down an incident that is over',
    tag,
    access: { needs: 'incidents.write' },
    params: PageParams,
    body: NewPastIncident,
    answers: { 201: Incident },
    waitsFor,
    find: findPage,
    alsoRefused: async ({ params: { page_id }, body, context, read }) =>
      brokenLogging(body, await knownComponents(page_id, read), context.now),
    handle: async ({ params: { page_id }, body, context, commands, read }) => {
      const incident_id = await commands.incidents.logPast(page_id, body, context);
      return created(`/v1/pages/${page_id}/incidents/${incident_id}`, incident_id, () =>
        showIncident({ params: { page_id, incident_id }, context, read }),
      );
    },
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'One incident or maintenance',
    tag,
    access: { needs: 'incidents.read' },
    params: IncidentParams,
    answers: { 200: Incident },
    handle: (call) => ok(() => showIncident(call)),
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Change an incident; body, components or deliver_notifications append an update',
    tag,
    access: { needs: 'incidents.write' },
    params: IncidentParams,
    body: IncidentChange,
    answers: { 200: Incident },
    waitsFor,
    find: findIncident,
    alsoRefused: async ({ params: { page_id }, body, found, read }) =>
      brokenChanging(body, found, await knownComponents(page_id, read)),
    handle: async ({
      params,
      body: { components: sent, resolved_at: known, ...body },
      context,
      commands,
      read,
      found,
    }) => {
      const map = sentMap(sent);
      const resolved_at = typeof known === 'string' ? parseInstant(known) : null;
      const input = { ...body, ...(map && { components: map }), resolved_at };
      const named = [...found.component_ids, ...Object.keys(map ?? {})];
      const after = await afterStatusOfNamed(named, context, read);
      await commands.incidents.change(params.page_id, params.incident_id, input, after);
      return ok(() => showIncident({ params, context, read }));
    },
  }),
  route({
    methods: ['delete'],
    path: byId,
    summary: 'Delete an incident with its effect on uptime',
    tag,
    access: { needs: 'incidents.write' },
    params: IncidentParams,
    answers: { 204: null },
    waitsFor,
    find: findIncident,
    handle: async ({ params, context, commands }) => {
      await commands.incidents.remove(params.page_id, params.incident_id, context);
      return noContent();
    },
  }),
];
