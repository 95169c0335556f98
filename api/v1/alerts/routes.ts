import { Type } from '@sinclair/typebox';
import { acknowledgeAlert, resolveAlert } from '../../../commands/alerts/alerts.ts';
import { findAlertDocument, findAlert, listAlerts } from '../../../queries/alerts/alerts.ts';
import { listAlertNotifications } from '../../../queries/alerts/notifications.ts';
import { readAlertStats } from '../../../queries/alerts/stats.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { pagesOfStyleB } from '../../pagination.ts';
import { createPresenter } from '../../presenter.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { Alert, alertFilters, AlertNotification, AlertStats } from './schema.ts';

const tag = 'Alerts';
const path = '/v1/alerts';
const list = pagesOfStyleB({ key: 'alerts', size: 20, newestBy: 'fired_at' });
const presentAlert = createPresenter(Alert);
const reads = { tag, access: { needs: 'alerts.read' } } as const;

const ofOne = {
  tag,
  params: Type.Object({ alert_id: Id }),
  find: ({ scope, params }: { scope: Scope; params: { alert_id: string } }) =>
    findAlertDocument(scope, params.alert_id),
};

/** A route that changes the state of an alert and responds with the alert. */
const transition = (verb: string, summary: string, description: string, command: typeof acknowledgeAlert): Route =>
  route({
    ...ofOne,
    methods: ['post'],
    path: `${path}/{alert_id}/${verb}`,
    summary,
    description,
    access: { needs: 'alerts.write' },
    responses: { 200: Alert },
    handle: async ({ params, scope, context, commands }) => {
      await commands.bind(command)(params.alert_id, context);
      return ok(async () => presentAlert(await findAlert(scope, params.alert_id)));
    },
  });

/**
 * Alerts (docs/reference/alerts.md#endpoints). The paths of rules and channels begin with the path of alerts, so the
 * routes of rules and channels are declared before the routes of alerts.
 */
export const alertRoutes: Route[] = [
  route({
    ...reads,
    methods: ['get'],
    path,
    summary: 'List alerts',
    description: 'The list is sorted newest first.',
    query: Type.Object({
      ...list.query,
      ...alertFilters,
    }),
    responses: { 200: list.answer(Alert) },
    heavy: true,
    handle: ({ query, scope }) =>
      ok(() => list.body(query, (paging) => listAlerts(scope, query, paging), presentAlert)),
  }),
  route({
    ...reads,
    methods: ['get'],
    path: `${path}/stats`,
    summary: 'Get alert statistics',
    description: 'Counts alerts, alert rules and alert channels.',
    responses: { 200: AlertStats },
    handle: ({ scope }) => ok(() => readAlertStats(scope)),
  }),
  route({
    ...ofOne,
    ...reads,
    methods: ['get'],
    path: `${path}/{alert_id}`,
    summary: 'Get an alert',
    responses: { 200: Alert },
    handle: ({ params, scope }) => ok(async () => presentAlert(await findAlert(scope, params.alert_id))),
  }),
  transition('acknowledge', 'Acknowledge an alert', 'The alert must be firing.', acknowledgeAlert),
  transition('resolve', 'Resolve an alert', 'The channels of the alert are notified.', resolveAlert),
  route({
    ...ofOne,
    ...reads,
    methods: ['get'],
    path: `${path}/{alert_id}/notifications`,
    summary: 'List the notifications of an alert',
    description: 'The list contains the messages to the channels of the alert, oldest first.',
    responses: { 200: Type.Array(AlertNotification) },
    heavy: true,
    handle: ({ scope, found: alert }) => ok(() => listAlertNotifications(scope, alert)),
  }),
];
