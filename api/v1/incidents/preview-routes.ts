import { Type } from '@sinclair/typebox';
import { draftIncident, draftUpdate } from '../../../commands/pages/incident-drafts.ts';
import { knownComponents } from '../../../queries/pages/components.ts';
import { ok, route, type Route } from '../../route.ts';
import { named, nullable } from '../../schema.ts';
import { findNamedPage, PageParams } from '../pages/params.ts';
import { findNamedIncident, incidentParams } from './params.ts';
import { brokenOpening, brokenUpdate, namedIn } from './refusals.ts';
import { NewIncident, NewUpdate } from './schema.ts';

const all = '/v1/pages/{page_id}/incidents';
const count = Type.Integer({ minimum: 0 });

const IncidentPreview = named(
  'IncidentPreview',
  Type.Object({
    page: Type.Object({
      html: Type.String({ description: 'the page of the incident, without scripts, in the language of the page' }),
    }),
    email: nullable(
      Type.Object(
        { subject: Type.String(), text: Type.String(), html: Type.String() },
        { description: 'null: subscribers are not notified' },
      ),
    ),
    sms: nullable(
      Type.Object(
        { text: Type.String(), segments: Type.Integer({ minimum: 1, description: 'messages that are paid for' }) },
        { description: 'null: subscribers are not notified' },
      ),
    ),
    feed: nullable(
      Type.Object(
        { title: Type.String(), summary: Type.String(), html: Type.String() },
        { description: 'the entry of the update in feeds; null: the page has none' },
      ),
    ),
    recipients: Type.Object(
      { email: count, sms: count, webhook: count },
      { description: 'subscriptions that would be notified now' },
    ),
  }),
);

/** Both need what the write needs: they tell what it would do. */
const common = {
  methods: ['post'],
  tag: 'Incidents',
  access: { needs: 'incidents.write' },
  effect: 'read',
  confidential: true,
  answers: { 200: IncidentPreview },
  heavy: true,
} as const;

export const incidentPreviewRoutes: Route[] = [
  route({
    ...common,
    path: `${all}/preview`,
    summary: 'Preview an incident or a maintenance: its page, messages and feed, and how many would be notified',
    params: PageParams,
    body: NewIncident,
    find: findNamedPage,
    alsoRefused: async ({ params: { page_id }, body, scope }) =>
      brokenOpening(body, await knownComponents(scope, page_id, namedIn(body))),
    handle: async ({ params: { page_id }, body, context, commands, scope, previewIncident }) => {
      const draft = await commands.ask(draftIncident)(page_id, body, context);
      const preview = await previewIncident(scope, draft);
      return ok(() => preview);
    },
  }),
  route({
    ...common,
    path: `${all}/{incident_id}/incident_updates/preview`,
    summary: 'Preview an update of an incident: its page, messages and feed, and how many would be notified',
    tag: 'Incident updates',
    params: Type.Object(incidentParams),
    body: NewUpdate,
    find: findNamedIncident,
    alsoRefused: async ({ params: { page_id }, body, found, scope }) =>
      brokenUpdate(body, found, await knownComponents(scope, page_id, namedIn(body))),
    handle: async ({ params: { page_id, incident_id }, body, context, commands, scope, previewIncident }) => {
      const draft = await commands.ask(draftUpdate)(page_id, incident_id, body, context);
      const preview = await previewIncident(scope, draft);
      return ok(() => preview);
    },
  }),
];
