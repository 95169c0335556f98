import type { Cause } from '../../domain/delivery/events.ts';
import type { AlertEventName } from '../../messages/alert/alert-facts.ts';
import { messageFormOf } from '../../notifiers/channels/configuration.ts';
import {
  ALERT_CAUSE,
  noticeIdOf,
  type AlertDocument,
  type AlertNoticeDocument,
} from '../../projections/alerts/documents.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { alertMessage, alertContent, findReceiver, organizationName } from './alert-message.ts';
import { wasBeginningMissed } from './notified-receivers.ts';
import { causesIn, type CauseContext, type CauseKind } from './cause.ts';
import { listChannelReceivers } from './channel-receivers.ts';
import { muteEffectOn } from './mute-effect.ts';

/**
 * Number of causes planned concurrently. Many, because in a mass outage alerts of many checks fire together, and each
 * firing is a cause.
 */
const PLANNED_AT_ONCE = 64;

/** Notifies the channels of an alert when the alert fires and when it is resolved. */
export const alert: CauseKind<AlertNoticeDocument> = {
  kind: ALERT_CAUSE,
  list: causesIn(alerts, 'alert_notices', { atOnce: PLANNED_AT_ONCE }),
  // Record the firing even if no channel has receivers: only channels in this record are notified of the resolution.
  isRemembered: ({ event, channel_ids }) => event === 'alert.fired' && channel_ids.length > 0,
  bind: (context) => ({
    receivers: (notice, ...page) => listChannelReceivers(notice, firingCauseOf(notice.cause), page, context),
    compose: async ({ cause, organization_id, receiver_id, notifier, created_at }) => {
      const [found, receiver] = await Promise.all([
        findAlertOfCause(cause, context),
        findReceiver(receiver_id, organization_id, context),
      ]);
      if (!found || receiver?.notifier !== notifier) return null;
      if (await wasBeginningMissed(firingCauseOf(cause), receiver_id, context)) return null;
      const { alert, event } = found;
      const postponed = await muteEffectOn({ created_at }, alert, event, context);
      if (postponed !== null) return postponed === 'over' ? null : postponed;
      const content = alertContent(alert, event, await organizationName(organization_id, context), context);
      // Only notifiers for programs send the complete data.
      const data = messageFormOf(notifier) === 'data' ? await context.shownAlert(organization_id, alert.id) : {};
      if (!content || !data) return null;
      return { settings: receiver.settings, message: alertMessage(notifier, content, { thread: alert.id, data }) };
    },
  }),
};

/** Returns the cause for the firing of an alert, given the cause for its resolution. Null for the firing itself. */
export const firingCauseOf = ({ kind, id }: Cause): Cause | null => {
  const [alertId = '', what] = id.split('/');
  return what === 'resolved' ? { kind, id: noticeIdOf(alertId, 'fired') } : null;
};

/** Returns the alert that a cause is about, and whether the cause is its firing or its resolution. */
export const findAlertOfCause = async (
  cause: Cause,
  { read }: Pick<CauseContext, 'read'>,
): Promise<{ alert: AlertDocument; event: AlertEventName } | null> => {
  const [id = '', what] = cause.id.split('/');
  const found = await read(alerts).alerts.get(id);
  return found && { alert: found, event: what === 'resolved' ? 'alert.resolved' : 'alert.fired' };
};
