import { Type, type Static } from '@sinclair/typebox';
import { draftPostmortem, publishPostmortem, unpublishPostmortem } from '../../../commands/pages/postmortems.ts';
import { firstDraftErrors, MAX_POSTMORTEM } from '../../../domain/incident/postmortem.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import { findIncident, type IncidentIds } from '../../../queries/pages/incidents.ts';
import {
  findPostmortem,
  hasPostmortem,
  previewedPostmortem,
  type FoundPostmortem,
} from '../../../queries/pages/postmortems.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { ownerOfPage } from '../../../queries/organizations/tenants.ts';
import type { May } from '../../permissions.ts';
import { createPresenter } from '../../presenter.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id, InstantOut, namedSchema, nullable, text } from '../../schema.ts';
import { incidentParams } from './params.ts';

const tag = 'Postmortems';
const path = '/v1/pages/{page_id}/incidents/{incident_id}/postmortem';
const params = Type.Object(incidentParams);
const waitsFor = [incidents.name];

const notify = Type.Boolean({ description: 'Whether publishing notifies subscribers.' });

/** See docs/reference/postmortems.md#fields. */
const Postmortem = namedSchema(
  'Postmortem',
  Type.Object({
    id: Id,
    incident_id: Id,
    body: nullable(Type.String({ description: 'The published text, in Markdown.' })),
    body_draft: nullable(Type.String({ description: 'The draft, in Markdown. Publishing it does not clear it.' })),
    body_draft_updated_at: InstantOut,
    body_updated_at: nullable(InstantOut),
    notify_subscribers: notify,
    preview_key: nullable(
      Type.String({
        description:
          'Gives access to the draft without an API key until it is published. Only editors and admins see the key.',
      }),
    ),
    published_at: nullable(InstantOut),
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);
type Postmortem = Static<typeof Postmortem>;

const Draft = Type.Object({
  body_draft: Type.Optional(
    nullable(text(MAX_POSTMORTEM, { min: 1, description: 'In Markdown. Null discards the draft.' })),
  ),
  notify_subscribers: Type.Optional({ ...notify, default: true }),
});

const Publication = Type.Object({ notify_subscribers: Type.Optional(notify) });

const present = createPresenter(Postmortem, ['id', 'incident_id', 'preview_key']);

/** @param showsKey whether the reader is allowed to see the preview key */
const presentPostmortem = ({ postmortem, incident_id, preview_key }: FoundPostmortem, showsKey: boolean): Postmortem =>
  present(postmortem, { id: postmortem.postmortem_id, incident_id, preview_key: showsKey ? preview_key : null });

/**
 * Loads a postmortem. The preview key lets anybody read the draft, so only callers who can write the draft see the key.
 */
const show = async (scope: Scope, incidentPath: IncidentIds, may: May): Promise<Postmortem> =>
  presentPostmortem(await findPostmortem(scope, incidentPath), may('incidents.write'));

export const postmortemRoutes: Route[] = [
  route({
    methods: ['get'],
    path,
    summary: 'Get a postmortem',
    tag,
    access: { needs: 'incidents.read' },
    confidential: true,
    params,
    responses: { 200: Postmortem },
    handle: ({ params: incidentPath, scope, may }) => ok(() => show(scope, incidentPath, may)),
  }),
  route({
    methods: ['put', 'patch'],
    path,
    summary: 'Write the draft of a postmortem',
    description: 'The published text stays until the draft is published.',
    tag,
    access: { needs: 'incidents.write' },
    confidential: true,
    params,
    body: Draft,
    responses: { 200: Postmortem },
    waitsFor,
    find: async ({ params: incidentPath, scope }) => hasPostmortem(scope, await findIncident(scope, incidentPath)),
    alsoRefused: ({ body, found: isThere }) => (isThere ? {} : firstDraftErrors(body['body_draft'])),
    handle: async ({ params: incidentPath, body, context, commands, scope, may }) => {
      await commands.bind(draftPostmortem)(incidentPath.page_id, incidentPath.incident_id, body, context);
      return ok(() => show(scope, incidentPath, may));
    },
  }),
  route({
    methods: ['put'],
    path: `${path}/publish`,
    summary: 'Publish a postmortem',
    description: 'The draft becomes the published text.',
    tag,
    access: { needs: 'incidents.write' },
    confidential: true,
    params,
    body: Publication,
    responses: { 200: Postmortem },
    waitsFor,
    find: ({ params: incidentPath, scope }) => findPostmortem(scope, incidentPath),
    handle: async ({ params: incidentPath, body, context, commands, scope, may }) => {
      await commands.bind(publishPostmortem)(incidentPath.page_id, incidentPath.incident_id, body, context);
      return ok(() => show(scope, incidentPath, may));
    },
  }),
  route({
    methods: ['put'],
    path: `${path}/unpublish`,
    summary: 'Unpublish a postmortem',
    description: 'The text remains as the draft.',
    tag,
    access: { needs: 'incidents.write' },
    confidential: true,
    params,
    responses: { 200: Postmortem },
    waitsFor,
    find: ({ params: incidentPath, scope }) => findPostmortem(scope, incidentPath),
    handle: async ({ params: incidentPath, context, commands, scope, may }) => {
      await commands.bind(unpublishPostmortem)(incidentPath.page_id, incidentPath.incident_id, context);
      return ok(() => show(scope, incidentPath, may));
    },
  }),
  route({
    methods: ['get'],
    path: `${path}/preview/{preview_key}`,
    summary: 'Preview a postmortem',
    description: 'The response contains the draft. The preview key in the path gives access to it.',
    tag,
    access: { public: { tenant: ownerOfPage, key: 'optional' } },
    confidential: true,
    params: Type.Object({ ...incidentParams, preview_key: Type.String() }),
    responses: { 200: Postmortem },
    handle: ({ params: incidentPath, scope }) =>
      ok(async () =>
        presentPostmortem(await previewedPostmortem(scope, incidentPath, incidentPath.preview_key), false),
      ),
  }),
];
