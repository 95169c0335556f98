import { Type } from '@sinclair/typebox';
import { appendUpdate, editUpdate, removeUpdate, withholdUpdateText } from '../../../commands/pages/incidents.ts';
import { components } from '../../../projections/components/projection.ts';
import { incidentEdits } from '../../../projections/incident-edits/projection.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import { knownComponents } from '../../../queries/pages/components.ts';
import { findUpdateEvenDeleted } from '../../../queries/pages/incident-edits.ts';
import { findIncident, findUpdate, type UpdateIds } from '../../../queries/pages/incidents.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { created, noContent, ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { findIncidentInPath, incidentParams } from './params.ts';
import { presentUpdate } from './present.ts';
import { updateEditBodyErrors, updateBodyErrors, componentIdsIn } from './validation.ts';
import { IncidentUpdate, NewUpdate, UpdateChange } from './schema.ts';

const tag = 'Incident updates';
const all = '/v1/pages/{page_id}/incidents/{incident_id}/incident_updates';
const byId = `${all}/{incident_update_id}`;
const UpdateParams = Type.Object({ ...incidentParams, incident_update_id: Id });
const waitsFor = [incidents.name, components.name];

const findNamedUpdate = ({ params, scope }: { params: UpdateIds; scope: Scope }) => findUpdate(scope, params);

/** Loads the update in its state after the request. */
const show = async (scope: Scope, ids: UpdateIds): Promise<IncidentUpdate> =>
  presentUpdate((await findUpdate(scope, ids)).update);

export const incidentUpdateRoutes: Route[] = [
  route({
    methods: ['get'],
    path: all,
    summary: 'List incident updates',
    description: 'The list is sorted newest first.',
    tag,
    access: { needs: 'incidents.read' },
    params: Type.Object(incidentParams),
    responses: { 200: Type.Array(IncidentUpdate) },
    heavy: true,
    handle: ({ params, scope }) =>
      ok(async () => (await findIncident(scope, params)).incident_updates.map(presentUpdate)),
  }),
  route({
    methods: ['post'],
    path: all,
    summary: 'Append an incident update',
    tag,
    access: { needs: 'incidents.write' },
    params: Type.Object(incidentParams),
    body: NewUpdate,
    responses: { 201: IncidentUpdate },
    waitsFor,
    find: findIncidentInPath,
    alsoRefused: async ({ params: { page_id }, body, found, context, scope }) =>
      updateBodyErrors(body, found, await knownComponents(scope, page_id, componentIdsIn(body)), context.now),
    handle: async ({ params, body, context, commands, scope }) => {
      const { page_id, incident_id } = params;
      const incident_update_id = await commands.bind(appendUpdate)(page_id, incident_id, body, context);
      const location = `/v1/pages/${page_id}/incidents/${incident_id}/incident_updates/${incident_update_id}`;
      return created(location, incident_update_id, () => show(scope, { ...params, incident_update_id }));
    },
  }),
  route({
    methods: ['get'],
    path: byId,
    summary: 'Get an incident update',
    tag,
    access: { needs: 'incidents.read' },
    params: UpdateParams,
    responses: { 200: IncidentUpdate },
    handle: ({ params, scope }) => ok(() => show(scope, params)),
  }),
  route({
    methods: ['put', 'patch'],
    path: byId,
    summary: 'Edit an incident update',
    description:
      'Absent fields stay unchanged. The edit applies retroactively, as if the update had been appended in its new form.',
    tag,
    access: { needs: 'incidents.write' },
    params: UpdateParams,
    body: UpdateChange,
    responses: { 200: IncidentUpdate },
    waitsFor,
    find: findNamedUpdate,
    alsoRefused: async ({ params: { page_id }, body, found, context, scope }) =>
      updateEditBodyErrors(body, found, await knownComponents(scope, page_id, componentIdsIn(body)), context.now),
    handle: async ({ params, body, context, commands, scope }) => {
      const { page_id, incident_id, incident_update_id } = params;
      await commands.bind(editUpdate)(page_id, incident_id, incident_update_id, body, context);
      return ok(() => show(scope, params));
    },
  }),
  route({
    methods: ['delete'],
    path: byId,
    summary: 'Delete an incident update',
    description: 'Its effect on the incident and its components is reverted.',
    tag,
    access: { needs: 'incidents.write' },
    params: UpdateParams,
    responses: { 204: null },
    waitsFor,
    find: findNamedUpdate,
    handle: async ({ params, context, commands }) => {
      const { page_id, incident_id, incident_update_id } = params;
      await commands.bind(removeUpdate)(page_id, incident_id, incident_update_id, context);
      return noContent();
    },
  }),
  route({
    methods: ['post'],
    path: `${byId}/withhold`,
    summary: 'Withhold an incident update from visitors',
    description: 'Visitors no longer see its text and earlier versions. The update may be a deleted one.',
    tag,
    access: { needs: 'incidents.withhold' },
    params: UpdateParams,
    responses: { 200: IncidentUpdate },
    waitsFor: [incidents.name, incidentEdits.name],
    find: ({ params, scope }) => findUpdateEvenDeleted(scope, params),
    handle: async ({ params, context, commands, scope }) => {
      const { page_id, incident_id, incident_update_id } = params;
      await commands.bind(withholdUpdateText)(page_id, incident_id, incident_update_id, context);
      return ok(async () => presentUpdate(await findUpdateEvenDeleted(scope, params)));
    },
  }),
];
