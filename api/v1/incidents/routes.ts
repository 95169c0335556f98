import { Type } from '@sinclair/typebox';
import { changeIncident, deleteIncident, logPastIncident, openIncident } from '../../../commands/pages/incidents.ts';
import { MAINTENANCE_STATUSES, type MaintenanceStatus } from '../../../domain/incident/statuses.ts';
import { parseInstant } from '../../../domain/time.ts';
import { components } from '../../../projections/components/projection.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import { knownComponents } from '../../../queries/pages/components.ts';
import {
  incidentWithComponents,
  listIncidents,
  listMaintenances,
  listUnresolved,
  type IncidentIds,
} from '../../../queries/pages/incidents.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { created, noContent, ok, route, type Route } from '../../route.ts';
import { choice, commaList } from '../../schema.ts';
import { findPageInPath, PageParams } from '../pages/params.ts';
import { incidentsResponse, listResponses, listQuery, requireSinceBeforeUntil, statusQuery } from './list.ts';
import { findIncidentInPath, incidentParams } from './params.ts';
import { presentIncident } from './present.ts';
import { incidentChangeBodyErrors, pastIncidentBodyErrors, openingBodyErrors, componentIdsIn } from './validation.ts';
import { Incident, IncidentChange, NewIncident, NewPastIncident, changedComponents } from './schema.ts';

const tag = 'Incidents';
const all = '/v1/pages/{page_id}/incidents';
const byId = `${all}/{incident_id}`;
const IncidentParams = Type.Object(incidentParams);
/** Default of the filter by status in the list of maintenance. */
const AHEAD: readonly MaintenanceStatus[] = ['scheduled'];
/** Read models for which the response to a write waits, because the response shows the incident and its components. */
const waitsFor = [incidents.name, components.name];

/** Loads the incident in its state after the request. */
const show = async (scope: Scope, ids: IncidentIds): Promise<Incident> =>
  presentIncident(await incidentWithComponents(scope, ids));

export const incidentRoutes: Route[] = [
  route({
    methods: ['get'],
    path: all,
    summary: 'List incidents',
    description: 'The list is sorted newest first.',
    tag,
    access: { needs: 'incidents.read' },
    params: PageParams,
    query: Type.Object({ ...listQuery, ...statusQuery }),
    responses: listResponses,
    heavy: true,
    requireQuery: requireSinceBeforeUntil,
    find: findPageInPath,
    handle: ({ query: { status, ...query }, scope, found: page }) =>
      ok(() =>
        incidentsResponse(query, (filters) => listIncidents(scope, page, { ...filters, ...(status && { status }) })),
      ),
  }),
  route({
    methods: ['post'],
    path: all,
    summary: 'Open an incident or schedule a maintenance',
    description: 'A body with `scheduled_for` schedules a maintenance.',
    tag,
    access: { needs: 'incidents.write' },
    params: PageParams,
    body: NewIncident,
    responses: { 201: Incident },
    waitsFor,
    find: findPageInPath,
    alsoRefused: async ({ params: { page_id }, body, context, scope }) =>
      openingBodyErrors(body, await knownComponents(scope, page_id, componentIdsIn(body)), context.now),
    handle: async ({ params: { page_id }, body, context, commands, scope }) => {
      const incident_id = await commands.bind(openIncident)(page_id, body, context);
      return created(`/v1/pages/${page_id}/incidents/${incident_id}`, incident_id, () =>
        show(scope, { page_id, incident_id }),
      );
    },
  }),
  route({
    methods: ['get'],
    path: `${all}/unresolved`,
    summary: 'List unresolved incidents',
    description: 'The list is sorted newest first.',
    tag,
    access: { needs: 'incidents.read' },
    params: PageParams,
    query: Type.Object({ ...listQuery, ...statusQuery }),
    responses: listResponses,
    heavy: true,
    requireQuery: requireSinceBeforeUntil,
    find: findPageInPath,
    handle: ({ query: { status, ...query }, scope, found: page }) =>
      ok(() =>
        incidentsResponse(query, (filters) => listUnresolved(scope, page, { ...filters, ...(status && { status }) })),
      ),
  }),
  route({
    methods: ['get'],
    path: `${all}/maintenance`,
    summary: 'List maintenances',
    description: 'The list contains maintenances in the given statuses and is sorted newest first.',
    tag,
    access: { needs: 'incidents.read' },
    params: PageParams,
    query: Type.Object({
      ...listQuery,
      status: Type.Optional(commaList(choice(MAINTENANCE_STATUSES), { default: [...AHEAD] })),
    }),
    responses: listResponses,
    heavy: true,
    requireQuery: requireSinceBeforeUntil,
    find: findPageInPath,
    handle: ({ query: { status = AHEAD, ...query }, scope, found: page }) =>
      ok(() => incidentsResponse(query, (filters) => listMaintenances(scope, page, status, filters))),
  }),
  route({
    methods: ['post'],
    path: `${all}/log-past-incident`,
    summary: 'Log a past incident',
    tag,
    access: { needs: 'incidents.write' },
    params: PageParams,
    body: NewPastIncident,
    responses: { 201: Incident },
    waitsFor,
    find: findPageInPath,
    alsoRefused: async ({ params: { page_id }, body, context, scope }) =>
      pastIncidentBodyErrors(body, await knownComponents(scope, page_id, componentIdsIn(body)), context.now),
    handle: async ({ params: { page_id }, body, context, commands, scope }) => {
      const incident_id = await commands.bind(logPastIncident)(page_id, body, context);
      return created(`/v1/pages/${page_id}/incidents/${incident_id}`, incident_id, () =>
        show(scope, { page_id, incident_id }),
      );
    },
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'Get an incident',
    description: 'Maintenances are incidents too.',
    tag,
    access: { needs: 'incidents.read' },
    params: IncidentParams,
    responses: { 200: Incident },
    handle: ({ params, scope }) => ok(() => show(scope, params)),
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Change an incident',
    description: 'Absent fields stay unchanged. `body`, `components` or `deliver_notifications` append an update.',
    tag,
    access: { needs: 'incidents.write' },
    params: IncidentParams,
    body: IncidentChange,
    responses: { 200: Incident },
    waitsFor,
    find: findIncidentInPath,
    alsoRefused: async ({ params: { page_id }, body, found, scope }) =>
      incidentChangeBodyErrors(body, found, await knownComponents(scope, page_id, componentIdsIn(body))),
    handle: async ({ params, body: { components: sent, resolved_at: known, ...body }, context, commands, scope }) => {
      const map = changedComponents(sent);
      const resolved_at = typeof known === 'string' ? parseInstant(known) : null;
      const input = { ...body, ...(map && { components: map }), resolved_at };
      await commands.bind(changeIncident)(params.page_id, params.incident_id, input, context);
      return ok(() => show(scope, params));
    },
  }),
  route({
    methods: ['delete'],
    path: byId,
    summary: 'Delete an incident',
    description: 'Its effect on uptime is removed too.',
    tag,
    access: { needs: 'incidents.write' },
    params: IncidentParams,
    responses: { 204: null },
    waitsFor,
    find: findIncidentInPath,
    handle: async ({ params, context, commands }) => {
      await commands.bind(deleteIncident)(params.page_id, params.incident_id, context);
      return noContent();
    },
  }),
];
