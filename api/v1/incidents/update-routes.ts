import { Type } from '@sinclair/typebox';
import { NotFound } from '../../../domain/errors.ts';
import { components } from '../../../projections/components/projection.ts';
import type { IncidentUpdateView } from '../../../projections/incidents/documents.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import { created, noContent, ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { afterStatusOfNamed } from './fact-time.ts';
import { pageParams } from '../pages/find-page.ts';
import { brokenEditing, brokenUpdate, knownComponents } from './refusals.ts';
import { IncidentUpdate, NewUpdate, UpdateChange } from './schema.ts';
import { findIncident, shownUpdate, type Looking as LookingForIncident } from './shown.ts';

const tag = 'Incident updates';
const all = '/v1/pages/{page_id}/incidents/{incident_id}/incident_updates';
const byId = `${all}/{incident_update_id}`;
const incidentParams = { ...pageParams, incident_id: Id };
const UpdateParams = Type.Object({ ...incidentParams, incident_update_id: Id });
const waitsFor = [incidents.name, components.name];

interface Looking extends LookingForIncident {
  params: LookingForIncident['params'] & { incident_update_id: string };
}

/** The update that a path names, with the ids of all components that its incident names. @throws NotFound */
const findUpdate = async (looking: Looking): Promise<{ update: IncidentUpdateView; named: readonly string[] }> => {
  const { incident_updates, component_ids: named } = await findIncident(looking);
  const update = incident_updates.find(({ id }) => id === looking.params.incident_update_id);
  if (!update) throw new NotFound('There is no such incident update.');
  return { update, named };
};

const showUpdate = async (looking: Looking): Promise<IncidentUpdate> => shownUpdate((await findUpdate(looking)).update);

export const incidentUpdateRoutes: Route[] = [
  route({
    methods: ['get'],
    path: all,
    summary: 'The updates of an incident, the newest first',
    tag,
    access: { needs: 'incidents.read' },
    params: Type.Object(incidentParams),
    answers: { 200: Type.Array(IncidentUpdate) },
    handle: (call) => ok(async () => (await findIncident(call)).incident_updates.map(shownUpdate)),
  }),
  route({
    methods: ['post'],
    path: all,
    summary: 'Append an update to an incident',
    tag,
    access: { needs: 'incidents.write' },
    params: Type.Object(incidentParams),
    body: NewUpdate,
    answers: { 201: IncidentUpdate },
    waitsFor,
    find: findIncident,
    alsoRefused: async ({ params: { page_id }, body, found, read }) =>
      brokenUpdate(body, found, await knownComponents(page_id, read)),
    handle: async ({ params, body, context, commands, read, found }) => {
      const { page_id, incident_id } = params;
      const named = [...found.component_ids, ...Object.keys(body.components ?? {})];
      const after = await afterStatusOfNamed(named, context, read);
      const incident_update_id = await commands.incidents.appendUpdate(page_id, incident_id, body, after);
      const location = `/v1/pages/${page_id}/incidents/${incident_id}/incident_updates/${incident_update_id}`;
      return created(location, incident_update_id, () =>
        showUpdate({ params: { ...params, incident_update_id }, context, read }),
      );
    },
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'One update',
    tag,
    access: { needs: 'incidents.read' },
    params: UpdateParams,
    answers: { 200: IncidentUpdate },
    handle: (call) => ok(() => showUpdate(call)),
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Edit an update as if it had always been so',
    tag,
    access: { needs: 'incidents.write' },
    params: UpdateParams,
    body: UpdateChange,
    answers: { 200: IncidentUpdate },
    waitsFor,
    find: findUpdate,
    alsoRefused: async ({ params: { page_id }, body, found, context, read }) =>
      brokenEditing(body, found, await knownComponents(page_id, read), context.now),
    handle: async ({ params, body, context, commands, read }) => {
      const { page_id, incident_id, incident_update_id } = params;
      await commands.incidents.editUpdate(page_id, incident_id, incident_update_id, body, context);
      return ok(() => showUpdate({ params, context, read }));
    },
  }),
  route({
    methods: ['delete'],
    path: byId,
    summary: 'Delete an update and take its effect back',
    tag,
    access: { needs: 'incidents.write' },
    params: UpdateParams,
    answers: { 204: null },
    waitsFor,
    find: findUpdate,
    handle: async ({ params, context, commands }) => {
      const { page_id, incident_id, incident_update_id } = params;
      await commands.incidents.removeUpdate(page_id, incident_id, incident_update_id, context);
      return noContent();
    },
  }),
];
