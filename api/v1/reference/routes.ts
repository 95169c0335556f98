import { Type, type TSchema } from '@sinclair/typebox';
import { CHECK_TEMPLATES } from '../../../domain/check/templates/index.ts';
import { INCIDENT_IMPACTS, INCIDENT_STATUSES, MAINTENANCE_STATUSES } from '../../../domain/incident/statuses.ts';
import { COMPONENT_STATUSES } from '../../../domain/page/component-status.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice } from '../../schema.ts';
import { CheckTemplate } from './schema.ts';

const reference = (path: string, summary: string, item: TSchema, list: readonly unknown[]): Route =>
  route({
    methods: ['get'],
    path,
    summary,
    tag: 'Reference lists',
    access: { needs: 'reference.read' },
    answers: { 200: Type.Array(item) },
    handle: () => ok(() => list),
  });

const words = (path: string, summary: string, list: readonly string[]): Route =>
  reference(path, summary, choice(list), list);

export const referenceListRoutes: Route[] = [
  words('/v1/component-statuses', 'The statuses of a component, from best to worst', COMPONENT_STATUSES),
  words('/v1/incident-statuses', 'The statuses of an incident', INCIDENT_STATUSES),
  words('/v1/incident-impacts', 'The impacts of an incident', INCIDENT_IMPACTS),
  words('/v1/maintenance-statuses', 'The statuses of a maintenance', MAINTENANCE_STATUSES),
  reference(
    '/v1/checks/check-templates',
    'Definitions of checks to begin with, to be sent to POST /v1/checks with a target of your own',
    CheckTemplate,
    CHECK_TEMPLATES,
  ),
];
