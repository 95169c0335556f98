import { Type } from '@sinclair/typebox';
import { acknowledgeAlert, resolveAlert } from '../../../commands/alerts/alerts.ts';
import { isFields } from '../../../domain/fields.ts';
import { noSuch } from '../../../domain/existence.ts';
import { alerts } from '../../../projections/alerts/projection.ts';
import { knownAlerts, matchingAlerts } from '../../../queries/alerts/alerts.ts';
import {
  answerInBulk,
  bodyFilter,
  brokenSelection,
  bulkAnswers,
  selectedIds,
  selecting,
  strictly,
  type BulkItem,
} from '../../bulk.ts';
import { route, type Route } from '../../route.ts';
import { alertFilters } from './schema.ts';

/** The filter parameters of the list of alerts, as a body field. */
const alertFilter = bodyFilter(alertFilters);

const AlertBulk = Type.Object({
  ...selecting(alertFilter.schema),
  change: Type.Optional(
    strictly(
      { acknowledge: Type.Optional(Type.Literal(true)), resolve: Type.Optional(Type.Literal(true)) },
      { description: 'Exactly one of the fields.' },
    ),
  ),
});

export const alertBulkRoutes: Route[] = [
  route({
    methods: ['post'],
    path: '/v1/alerts/bulk',
    summary: 'Acknowledge or resolve many alerts',
    tag: 'Alerts',
    access: { needs: 'alerts.write' },
    body: AlertBulk,
    answers: bulkAnswers,
    heavy: true,
    waitsFor: [alerts.name],
    refuse: (_, body) => {
      const lacking = brokenSelection(body);
      const both = isFields(body) && isFields(body['change']) && Object.keys(body['change']).length > 1;
      return both ? { ...lacking, change: ['Must be either acknowledge or resolve.'] } : lacking;
    },
    handle: async (call) => {
      const { body, scope, commands } = call;
      const ids = await selectedIds(body, (filter, limit) => matchingAlerts(scope, alertFilter.read(filter), limit));
      const known = await knownAlerts(scope, ids);
      const command = body.change?.resolve ? resolveAlert : acknowledgeAlert;
      const perform =
        (id: string): BulkItem['perform'] =>
        async (context) => {
          if (!known.has(id)) throw noSuch('alert');
          await commands.ask(command)(id, context);
          return { id, status: 200 };
        };
      return answerInBulk(
        ids.map((id) => ({ name: id, id, perform: perform(id) })),
        call,
      );
    },
  }),
];
