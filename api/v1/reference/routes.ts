import { Type } from '@sinclair/typebox';
import { INCIDENT_IMPACTS, INCIDENT_STATUSES, MAINTENANCE_STATUSES } from '../../../domain/incident/statuses.ts';
import { COMPONENT_STATUSES } from '../../../domain/page/component-status.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice } from '../../schema.ts';

const reference = (path: string, summary: string, words: readonly string[]): Route =>
  route({
    methods: ['get'],
    path,
    summary,
    tag: 'Reference lists',
    access: { needs: 'reference.read' },
    answers: { 200: Type.Array(choice(words)) },
    handle: () => ok(() => words),
  });

export const referenceListRoutes: Route[] = [
  reference('/v1/component-statuses', 'The statuses of a component, from best to worst', COMPONENT_STATUSES),
  reference('/v1/incident-statuses', 'The statuses of an incident', INCIDENT_STATUSES),
  reference('/v1/incident-impacts', 'The impacts of an incident', INCIDENT_IMPACTS),
  reference('/v1/maintenance-statuses', 'The statuses of a maintenance', MAINTENANCE_STATUSES),
];
