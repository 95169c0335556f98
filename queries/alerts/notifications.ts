import { STATUS_PAGE, type ChannelTypeName } from '../../domain/alert-channel/configuration.ts';
import { channelIdOf } from '../../domain/alert-channel/receiver.ts';
import { causeKey } from '../../domain/delivery/events.ts';
import { derivedId } from '../../domain/identity.ts';
import type { Instant } from '../../domain/time.ts';
import { ALERT_CAUSE, noticeIdOf, type AlertDocument } from '../../projections/alerts/documents.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { findChannels } from './alert-channels.ts';
import { listHoldNotifications } from './alert-holds.ts';
import { notificationStatus, type NotificationStatus } from '../notifications.ts';
import type { ReadScope } from '../engine/scope.ts';

/**
 * Time of the newest notification about an alert, and number of notifications. Counts delivered messages, and
 * components that were set to show the alert or released.
 */
export interface NotificationSummary {
  last_notification_at: Instant | null;
  notification_count: number;
}

/**
 * A sent or pending notification of an alert by a channel (docs/reference/notifications.md#notification-fields). An
 * e-mail to several recipients is several notifications.
 */
export interface AlertNotification {
  id: string;
  alert_id: string;
  channel_id: string;
  /** Null if the channel was deleted. */
  channel_name: string | null;
  channel_type: ChannelTypeName;
  notification_type: 'alert_fired' | 'alert_resolved';
  status: NotificationStatus;
  retry_count: number;
  error_message: string | null;
  created_at: Instant;
  sent_at: Instant | null;
}

const NOTICES = ['fired', 'resolved'] as const;

const keyOf = (alertId: string, what: (typeof NOTICES)[number]): string =>
  causeKey({ kind: ALERT_CAUSE, id: noticeIdOf(alertId, what) });

/** The fields of an alert that its notifications depend on. */
type NotifiedAlert = Pick<AlertDocument, 'id' | 'channel_ids' | 'unannounced'>;

/** Reads notification summaries, by alert. */
export const readNotificationSummaries = async (
  scope: Pick<ReadScope, 'read' | 'organizationId'>,
  alerts: readonly NotifiedAlert[],
): Promise<(alert: NotifiedAlert) => NotificationSummary> => {
  const [messages, pages] = await Promise.all([arrivalsOf(scope, alerts), listHoldNotifications(scope, alerts)]);
  return (alert) => {
    const shown = pages(alert).flatMap(({ sent_at }) => sent_at ?? []);
    const times = [...messages(alert), ...shown].sort();
    return { last_notification_at: times.at(-1) ?? null, notification_count: times.length };
  };
};

/** Returns the times at which messages about alerts were delivered. */
const arrivalsOf = async (
  { read }: Pick<ReadScope, 'read'>,
  alerts: readonly NotifiedAlert[],
): Promise<(alert: { id: string }) => Instant[]> => {
  const keys = alerts
    .filter(({ channel_ids }) => channel_ids.length > 0)
    .flatMap(({ id }) => NOTICES.map((what) => keyOf(id, what)));
  // The status is not part of the condition, because a store might then use the index by status and scan all
  // deliveries.
  const where = { cause_key: { $in: keys } };
  const all =
    keys.length === 0 ? [] : await read(deliveries).deliveries.pick(['cause_key', 'status', 'updated_at'], { where });
  const sent = all.filter(({ status }) => status === 'delivered');
  return ({ id }) => {
    const own = new Set(NOTICES.map((what) => keyOf(id, what)));
    return sent.filter(({ cause_key }) => own.has(cause_key)).map(({ updated_at }) => updated_at);
  };
};

/** Lists the notifications of an alert, oldest first. Messages before the retention period of results are missing. */
export const listAlertNotifications = async (scope: ReadScope, alert: NotifiedAlert): Promise<AlertNotification[]> => {
  const all = [...(await messagesOf(scope, alert)), ...(await shownOnPages(scope, alert))];
  return all.sort((a, b) => (a.created_at === b.created_at ? 0 : a.created_at < b.created_at ? -1 : 1));
};

/** Lists the notifications on pages: components that were set to show the alert or released. */
const shownOnPages = async (scope: ReadScope, alert: NotifiedAlert): Promise<AlertNotification[]> =>
  (await listHoldNotifications(scope, [alert]))(alert).map((hold) => ({
    id: derivedId(`hold/${alert.id}/${hold.channel_id}/${hold.notification_type}`),
    alert_id: alert.id,
    channel_type: STATUS_PAGE,
    retry_count: 0,
    ...hold,
  }));

const messagesOf = async (
  scope: ReadScope,
  { id: alert_id }: Pick<AlertDocument, 'id'>,
): Promise<AlertNotification[]> => {
  const found = await Promise.all(
    NOTICES.map(async (what) => {
      const where = { cause_key: keyOf(alert_id, what) };
      const told = await scope.read(deliveries).deliveries.find({ where, sort: { created_at: 1 } });
      return told.map((delivery) => ({ delivery, what }));
    }),
  );
  const told = found.flat();
  const channels = await findChannels(
    scope,
    told.map(({ delivery }) => channelIdOf(delivery.receiver_id)),
  );
  return told.map(({ delivery, what }) => {
    const { id, notifier, receiver_id, attempt_count, attempts, given_up, status, created_at, updated_at } = delivery;
    const channel_id = channelIdOf(receiver_id);
    return {
      id,
      alert_id,
      channel_id,
      channel_name: channels.get(channel_id)?.name ?? null,
      // If the channel was deleted, its type is the name of the notifier.
      channel_type: channels.get(channel_id)?.type ?? notifier,
      notification_type: `alert_${what}`,
      status: notificationStatus(delivery),
      retry_count: Math.max(0, attempt_count - 1),
      error_message: given_up?.error_message ?? attempts.at(-1)?.error_message ?? null,
      created_at,
      sent_at: status === 'delivered' ? updated_at : null,
    };
  });
};
