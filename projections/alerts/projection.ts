import type { RecordedEventOf } from '../../domain/event-types.ts';
import { alertSeries } from '../../domain/alert/identity.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Models } from '../engine/fold/define.ts';
import { holdWhileMuted, muteCollections, mutesOf, storeMute } from './mutes.ts';
import {
  ALERT_CAUSE,
  noticeIdOf,
  type AlertDocument,
  type AlertNoticeDocument,
  type NewestAlertDocument,
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
  alert_standings: collection<NewestAlertDocument>({
    indexes: [{ changed_position: 1 }, { check_id: 1 }, { status: 1 }],
  }),
  alert_notices: collection<AlertNoticeDocument>({ indexes: [{ changed_position: 1 }] }),
  raised_alerts: collection<RaisedAlertDocument>({ indexes: [{ changed_position: 1 }] }),
  ...muteCollections,
};

type AlertModels = Models<typeof collections>;

type Ending = RecordedEventOf<'AlertAcknowledged' | 'AlertResolved'>;

/** Records an alert as the newest alert of its rule, unless the rule has a newer one. */
const recordNewest = (alert: AlertDocument, { alert_standings }: AlertModels): void => {
  const { organization_id, check_id, number, id: alert_id, changed_position } = alert;
  const { status, fired_at, resolved_at, resolution, because } = alert;
  const id = alertSeries(alert);
  if ((alert_standings.get(id)?.number ?? 0) > number) return;
  const which = { id, organization_id, check_id, number, alert_id };
  const how = { status, fired_at, resolved_at, resolution, because, condition_ended: false };
  alert_standings.put({ ...which, ...how, changed_position });
};

/** Adds a notice for the channels of an alert. Does nothing if the alert has no channels. */
const addNotice = (
  alert: AlertDocument,
  what: 'fired' | 'resolved',
  caused_at: Instant,
  { alert_notices }: Pick<AlertModels, 'alert_notices'>,
): void => {
  const { id: alert_id, organization_id, channel_ids, changed_position } = alert;
  if (channel_ids.length === 0) return;
  const id = noticeIdOf(alert_id, what);
  alert_notices.put({
    id,
    organization_id,
    cause: { kind: ALERT_CAUSE, id },
    caused_at,
    series: alert_id,
    in_order: true,
    priority: 'alert',
    alert_id,
    event: `alert.${what}`,
    channel_ids,
    changed_position,
  });
};

/** Adds the item for the reactor that links an alert to the results that fired it. */
const addRaisedAlert = (alert: AlertDocument, { raised_alerts }: AlertModels): void => {
  const { id, organization_id, check_id, title, fired_at, trigger_results, changed_position } = alert;
  if (check_id === null || trigger_results.length === 0) return;
  const results = trigger_results.map(({ result_id, region }) => ({ result_id, region }));
  raised_alerts.put({ id, organization_id, check_id, title, fired_at, results, changed_position });
};

/** Changes an alert, if it exists, and updates the newest alert of its rule. */
const change = (
  { data: { alert_id }, position }: Ending,
  models: AlertModels,
  changed: (alert: AlertDocument) => Partial<AlertDocument>,
): AlertDocument | null => {
  const known = models.alerts.get(alert_id);
  if (!known) return null;
  const alert = { ...known, ...changed(known), changed_position: Number(position) };
  models.alerts.put(alert);
  recordNewest(alert, models);
  return alert;
};

const waitingOf = (id: string) => ({ alerts: [id], muted_alerts: [id] });

const standingOfKnown = (
  event: Ending | RecordedEventOf<'AlertConditionEnded'>,
  { alerts }: { alerts: Pick<AlertModels['alerts'], 'get'> },
) => {
  const alert = alerts.get(event.data.alert_id);
  return alert ? { alert_standings: [alertSeries(alert)] } : {};
};

/**
 * Alerts, the newest alert of each rule (for the next evaluation of the rule), and lists of follow-up work for
 * reactors. Messages wait while the rule or check is muted (mutes.ts).
 */
export const alerts = defineProjection({
  name: 'alerts',
  version: 3,
  log: 'main',
  collections,
  documents: (event) => {
    switch (event.type) {
      case 'CheckMuted':
        return { mutes: [event.data.check_id] };
      case 'AlertRuleMuted':
        return { mutes: [event.data.rule_id] };
      case 'AlertFired': {
        const { alert_id: id } = event.data;
        const own = { alerts: [id], raised_alerts: [id], muted_alerts: [id], alert_notices: [noticeIdOf(id, 'fired')] };
        return { ...own, alert_standings: [alertSeries(event.data)], mutes: mutesOf(event.data) };
      }
      case 'AlertResolved':
        return { ...waitingOf(event.data.alert_id), alert_notices: [noticeIdOf(event.data.alert_id, 'resolved')] };
      case 'AlertMuteEnded': {
        const { alert_id: id } = event.data;
        return { ...waitingOf(id), alert_notices: [noticeIdOf(id, 'fired'), noticeIdOf(id, 'resolved')] };
      }
      default:
        return { alerts: [event.data.alert_id] };
    }
  },
  further: {
    AlertAcknowledged: standingOfKnown,
    AlertResolved: (event, known) => {
      const alert = known.alerts.get(event.data.alert_id);
      return { ...standingOfKnown(event, known), ...(alert && { mutes: mutesOf(alert) }) };
    },
    AlertConditionEnded: standingOfKnown,
  },
  searches: {
    CheckMuted: ({ data }) => ({ muted_alerts: { where: { check_id: data.check_id } } }),
    AlertRuleMuted: ({ data }) => ({ muted_alerts: { where: { rule_id: data.rule_id } } }),
  },
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
        unannounced: false,
        changed_position: Number(position),
      };
      const isMuted = alert.channel_ids.length > 0 && holdWhileMuted(alert, 'fired', alert.fired_at, models);
      models.alerts.put({ ...alert, unannounced: isMuted });
      recordNewest(alert, models);
      if (!isMuted) addNotice(alert, 'fired', alert.fired_at, models);
      addRaisedAlert(alert, models);
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
      if (!alert) return;
      // No message was sent about the firing, so none is sent about the resolution.
      if (alert.unannounced) models.muted_alerts.delete(alert.id);
      else if (alert.channel_ids.length === 0 || !holdWhileMuted(alert, 'resolved', resolved_at, models)) {
        addNotice(alert, 'resolved', resolved_at, models);
      }
    },
    AlertConditionEnded: ({ data: { alert_id }, position }, { alerts, alert_standings }) => {
      const alert = alerts.get(alert_id);
      const newest = alert && alert_standings.get(alertSeries(alert));
      if (newest?.alert_id !== alert_id) return;
      alert_standings.put({ ...newest, condition_ended: true, changed_position: Number(position) });
    },
    AlertMuteEnded: ({ data: { alert_id, ended_at }, position }, models) => {
      const item = models.muted_alerts.get(alert_id);
      const alert = models.alerts.get(alert_id);
      // The item was already handled, or a mute was extended in the meantime.
      if (!item || !alert || item.due_at > ended_at) return;
      models.muted_alerts.delete(alert_id);
      const announced = { ...alert, unannounced: false, changed_position: Number(position) };
      if (item.awaits === 'resolved') addNotice(announced, 'resolved', ended_at, models);
      // If the alert was acknowledged, no message is needed: the person who acknowledged the alert knows about it.
      if (item.awaits !== 'fired' || alert.status !== 'firing') return;
      models.alerts.put(announced);
      addNotice(announced, 'fired', ended_at, models);
    },
    CheckMuted: (event, models) => {
      storeMute(event, { id: event.data.check_id, field: 'check_until' }, models);
    },
    AlertRuleMuted: (event, models) => {
      storeMute(event, { id: event.data.rule_id, field: 'rule_until' }, models);
    },
  },
});
