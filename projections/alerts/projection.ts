import type { RecordedEventOf } from '../../domain/catalogue.ts';
import { SYSTEM_RULE } from '../../domain/alert/identity.ts';
import { collection, defineProjection, type Models } from '../engine/fold/define.ts';
import {
  ALERT,
  noticeIdOf,
  type AlertDocument,
  type AlertNoticeDocument,
  type AlertStandingDocument,
  type RaisedAlertDocument,
} from './documents.ts';

const collections = {
  alerts: collection<AlertDocument>({
    indexes: [
      { is_active: 1, fired_at: -1 },
      { organization_id: 1, fired_at: -1 },
      { organization_id: 1, is_active: 1, fired_at: -1 },
      { organization_id: 1, check_id: 1, fired_at: -1 },
      { organization_id: 1, rule_id: 1, fired_at: -1 },
    ],
  }),
  alert_standings: collection<AlertStandingDocument>({
    indexes: [{ changed_position: 1 }, { check_id: 1 }, { status: 1 }],
  }),
  alert_notices: collection<AlertNoticeDocument>({ indexes: [{ changed_position: 1 }] }),
  raised_alerts: collection<RaisedAlertDocument>({ indexes: [{ changed_position: 1 }] }),
};

type AlertModels = Models<typeof collections>;

type Ending = RecordedEventOf<'AlertAcknowledged' | 'AlertResolved'>;

const standingIdOf = ({ rule_id }: Pick<AlertDocument, 'rule_id'>): string => rule_id ?? SYSTEM_RULE;

/** Puts down where the rule of an alert stands, unless it has a newer one. */
const stand = (alert: AlertDocument, { alert_standings }: AlertModels): void => {
  const { organization_id, check_id, number, id: alert_id, changed_position } = alert;
  const { status, fired_at, resolved_at, resolution, because } = alert;
  const id = standingIdOf(alert);
  if ((alert_standings.get(id)?.number ?? 0) > number) return;
  const which = { id, organization_id, check_id, number, alert_id };
  const how = { status, fired_at, resolved_at, resolution, because, condition_ended: false };
  alert_standings.put({ ...which, ...how, changed_position });
};

/** Lets the channels of an alert be told. Without channels there is nobody to tell. */
const tell = (alert: AlertDocument, what: 'fired' | 'resolved', { alert_notices }: AlertModels): void => {
  const { id: alert_id, organization_id, channel_ids, changed_position } = alert;
  if (channel_ids.length === 0) return;
  const id = noticeIdOf(alert_id, what);
  alert_notices.put({
    id,
    organization_id,
    cause: { kind: ALERT, id },
    caused_at: what === 'fired' ? alert.fired_at : (alert.resolved_at ?? alert.fired_at),
    series: alert_id,
    in_order: true,
    priority: 'alert',
    alert_id,
    event: `alert.${what}`,
    channel_ids,
    changed_position,
  });
};

/** Lets the results that made an alert fire be known for it. */
const raise = (alert: AlertDocument, { raised_alerts }: AlertModels): void => {
  const { id, organization_id, check_id, title, fired_at, trigger_results, changed_position } = alert;
  if (check_id === null || trigger_results.length === 0) return;
  const results = trigger_results.map(({ result_id, region }) => ({ result_id, region }));
  raised_alerts.put({ id, organization_id, check_id, title, fired_at, results, changed_position });
};

/** Changes an alert, if there is one, and puts down where its rule stands. */
const change = (
  { data: { alert_id }, position }: Ending,
  models: AlertModels,
  changed: (alert: AlertDocument) => Partial<AlertDocument>,
): AlertDocument | null => {
  const known = models.alerts.get(alert_id);
  if (!known) return null;
  const alert = { ...known, ...changed(known), changed_position: Number(position) };
  models.alerts.put(alert);
  stand(alert, models);
  return alert;
};

const standingOfKnown = (
  event: Ending | RecordedEventOf<'AlertConditionEnded'>,
  { alerts }: { alerts: Pick<AlertModels['alerts'], 'get'> },
) => {
  const alert = alerts.get(event.data.alert_id);
  return alert ? { alert_standings: [standingIdOf(alert)] } : {};
};

/** Alerts; where each rule stands, for its next judgement; and lists of what follows from alerts. */
export const alerts = defineProjection({
  name: 'alerts',
  version: 2,
  log: 'main',
  collections,
  documents: ({ type, data }) => ({
    alerts: [data.alert_id],
    ...(type === 'AlertFired' && { alert_standings: [standingIdOf(data)], raised_alerts: [data.alert_id] }),
    ...((type === 'AlertFired' || type === 'AlertResolved') && {
      alert_notices: [noticeIdOf(data.alert_id, type === 'AlertFired' ? 'fired' : 'resolved')],
    }),
  }),
  further: { AlertAcknowledged: standingOfKnown, AlertResolved: standingOfKnown, AlertConditionEnded: standingOfKnown },
  on: {
    AlertFired: ({ data: { alert_id: id, ...fired }, position }, models) => {
      const alert: AlertDocument = {
        id,
        ...fired,
        status: 'firing',
        is_active: true,
        acknowledged_at: null,
        acknowledged_by_id: null,
        resolved_at: null,
        resolved_by_id: null,
        resolution: null,
        because: null,
        duration: null,
        history: [{ event: 'fired', at: fired.fired_at, user_id: null }],
        changed_position: Number(position),
      };
      models.alerts.put(alert);
      stand(alert, models);
      tell(alert, 'fired', models);
      raise(alert, models);
    },
    AlertAcknowledged: (event, models) => {
      const { acknowledged_at, acknowledged_by_id } = event.data;
      change(event, models, ({ history }) => ({
        status: 'acknowledged',
        acknowledged_at,
        acknowledged_by_id,
        history: [...history, { event: 'acknowledged', at: acknowledged_at, user_id: acknowledged_by_id }],
      }));
    },
    AlertResolved: (event, models) => {
      const { resolved_at, resolved_by_id, resolution, because, duration } = event.data;
      const alert = change(event, models, ({ history }) => ({
        status: 'resolved',
        is_active: false,
        resolved_at,
        resolved_by_id,
        resolution,
        because,
        duration,
        history: [...history, { event: 'resolved', at: resolved_at, user_id: resolved_by_id }],
      }));
      if (alert) tell(alert, 'resolved', models);
    },
    AlertConditionEnded: ({ data: { alert_id }, position }, { alerts, alert_standings }) => {
      const alert = alerts.get(alert_id);
      const standing = alert && alert_standings.get(standingIdOf(alert));
      if (standing?.alert_id !== alert_id) return;
      alert_standings.put({ ...standing, condition_ended: true, changed_position: Number(position) });
    },
  },
});
