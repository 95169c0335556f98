import { Type } from '@sinclair/typebox';
import { draftIncident, draftUpdate } from '../../../commands/pages/incident-drafts.ts';
import { knownComponents } from '../../../queries/pages/components.ts';
import { ok, route, type Route } from '../../route.ts';
import { namedSchema, nullable } from '../../schema.ts';
import { findPageInPath, PageParams } from '../pages/params.ts';
import { findIncidentInPath, incidentParams } from './params.ts';
import { openingBodyErrors, updateBodyErrors, componentIdsIn } from './validation.ts';
import { NewIncident, NewUpdate } from './schema.ts';

const all = '/v1/pages/{page_id}/incidents';
const count = Type.Integer({ minimum: 0 });

const IncidentPreview = namedSchema(
  'IncidentPreview',
  Type.Object({
    page: Type.Object({
      html: Type.String({
        description: 'The page of the incident, in the language of the status page and without scripts.',
      }),
    }),
    email: nullable(
      Type.Object(
        { subject: Type.String(), text: Type.String(), html: Type.String() },
        { description: 'Null if subscribers are not notified.' },
      ),
    ),
    sms: nullable(
      Type.Object(
        { text: Type.String(), segments: Type.Integer({ minimum: 1, description: 'Number of billed messages.' }) },
        { description: 'Null if subscribers are not notified.' },
      ),
    ),
    feed: nullable(
      Type.Object(
        { title: Type.String(), summary: Type.String(), html: Type.String() },
        { description: 'The feed entry of the update. Null if the page has no feeds.' },
      ),
    ),
    recipients: Type.Object(
      { email: count, sms: count, webhook: count },
      { description: 'Number of subscriptions that would be notified now.' },
    ),
  }),
);

/** A preview shows what a write would publish, so it needs the same permission as the write. */
const common = {
  methods: ['post'],
  tag: 'Incidents',
  access: { needs: 'incidents.write' },
  effect: 'read',
  confidential: true,
  responses: { 200: IncidentPreview },
  heavy: true,
} as const;

export const incidentPreviewRoutes: Route[] = [
  route({
    ...common,
    path: `${all}/preview`,
    summary: 'Preview an incident',
    description:
      'Shows the page, messages and feed entry of an incident or maintenance, and how many subscriptions would be ' +
      'notified. Nothing is stored.',
    params: PageParams,
    body: NewIncident,
    find: findPageInPath,
    alsoRefused: async ({ params: { page_id }, body, context, scope }) =>
      openingBodyErrors(body, await knownComponents(scope, page_id, componentIdsIn(body)), context.now),
    handle: async ({ params: { page_id }, body, context, commands, scope, previewIncident }) => {
      const draft = await commands.bind(draftIncident)(page_id, body, context);
      const preview = await previewIncident(scope, draft);
      return ok(() => preview);
    },
  }),
  route({
    ...common,
    path: `${all}/{incident_id}/incident_updates/preview`,
    summary: 'Preview an incident update',
    description:
      'Shows the page, messages and feed entry of the update, and how many subscriptions would be notified. Nothing is ' +
      'stored.',
    tag: 'Incident updates',
    params: Type.Object(incidentParams),
    body: NewUpdate,
    find: findIncidentInPath,
    alsoRefused: async ({ params: { page_id }, body, found, context, scope }) =>
      updateBodyErrors(body, found, await knownComponents(scope, page_id, componentIdsIn(body)), context.now),
    handle: async ({ params: { page_id, incident_id }, body, context, commands, scope, previewIncident }) => {
      const draft = await commands.bind(draftUpdate)(page_id, incident_id, body, context);
      const preview = await previewIncident(scope, draft);
      return ok(() => preview);
    },
  }),
];
