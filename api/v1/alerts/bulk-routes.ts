import { Type } from '@sinclair/typebox';
import { acknowledgeAlert, resolveAlert } from '../../../commands/alerts/alerts.ts';
import { isFields } from '../../../domain/fields.ts';
import { notFound } from '../../../domain/existence.ts';
import { alerts } from '../../../projections/alerts/projection.ts';
import { findExistingAlertIds, findMatchingAlerts } from '../../../queries/alerts/alerts.ts';
import {
  performInBulk,
  bodyFilter,
  selectionErrors,
  bulkResponses,
  selectedIds,
  selectionFields,
  strictObject,
  type BulkItem,
} from '../../bulk.ts';
import { route, type Route } from '../../route.ts';
import { alertFilters } from './schema.ts';

/** The query parameters that filter the list of alerts, as a field of a request body. */
const alertFilter = bodyFilter(alertFilters);

const AlertBulk = Type.Object({
  ...selectionFields(alertFilter.schema),
  change: Type.Optional(
    strictObject(
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
    responses: bulkResponses,
    heavy: true,
    waitsFor: [alerts.name],
    refuse: (_, body) => {
      const lacking = selectionErrors(body);
      const both = isFields(body) && isFields(body['change']) && Object.keys(body['change']).length > 1;
      return both ? { ...lacking, change: ['Must be either acknowledge or resolve.'] } : lacking;
    },
    handle: async (call) => {
      const { body, scope, commands } = call;
      const ids = await selectedIds(body, (filter, limit) =>
        findMatchingAlerts(scope, alertFilter.read(filter), limit),
      );
      const known = await findExistingAlertIds(scope, ids);
      const command = body.change?.resolve ? resolveAlert : acknowledgeAlert;
      const perform =
        (id: string): BulkItem['perform'] =>
        async (context) => {
          if (!known.has(id)) throw notFound('alert');
          await commands.bind(command)(id, context);
          return { id, status: 200 };
        };
      return performInBulk(
        ids.map((id) => ({ name: id, id, perform: perform(id) })),
        call,
      );
    },
  }),
];
