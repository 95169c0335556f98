import type { Cause } from '../../domain/delivery/events.ts';
import { derivedId } from '../../domain/identity.ts';
import {
  heartbeatChat,
  heartbeatData,
  heartbeatMail,
  heartbeatNotice,
  type HeartbeatFacts,
} from '../../messages/heartbeat.ts';
import { messageFormOf } from '../../notifiers/channels/configuration.ts';
import type { NotificationMessage } from '../../notifiers/notifier.ts';
import {
  HEARTBEAT_CAUSE,
  heartbeatNoticeId,
  heartbeats,
  type HeartbeatNoticeDocument,
} from '../../projections/heartbeats/projection.ts';
import { findReceiver, serviceEmail, organizationName } from './alert-message.ts';
import { wasBeginningMissed } from './notified-receivers.ts';
import { causesIn, type CauseKind } from './cause.ts';
import { listChannelReceivers } from './channel-receivers.ts';

/** Notifies the channels of a heartbeat when it goes down and when it recovers. */
export const heartbeat: CauseKind<HeartbeatNoticeDocument> = {
  kind: HEARTBEAT_CAUSE,
  list: causesIn(heartbeats, 'heartbeat_notices'),
  isRemembered: ({ event, channel_ids }) => event === 'heartbeat.down' && channel_ids.length > 0,
  bind: (context) => ({
    receivers: async (notice, ...page) => {
      const beginning = downCauseOf(notice);
      const down = beginning && (await context.read(heartbeats).heartbeat_notices.get(beginning.id));
      // The heartbeat had no channels when it went down. No notification was sent then, so the recovery needs none.
      if (down?.channel_ids.length === 0) return [];
      return listChannelReceivers(notice, beginning, page, context);
    },
    compose: async ({ cause, organization_id, receiver_id, notifier }) => {
      const [notice, receiver] = await Promise.all([
        context.read(heartbeats).heartbeat_notices.get(cause.id),
        findReceiver(receiver_id, organization_id, context),
      ]);
      if (!notice || receiver?.notifier !== notifier) return null;
      if (await wasBeginningMissed(downCauseOf(notice), receiver_id, context)) return null;
      const content = heartbeatContent(notice, await organizationName(organization_id, context));
      return { settings: receiver.settings, message: messageOf(notifier, content, notice) };
    },
  }),
};

/**
 * Returns the cause for the failure of a heartbeat, given the notice of its recovery. Null for the notice of the
 * failure itself.
 */
export const downCauseOf = ({ heartbeat_id, down, recovered }: HeartbeatNoticeDocument): Cause | null =>
  recovered && { kind: HEARTBEAT_CAUSE, id: heartbeatNoticeId(heartbeat_id, down.number, 'down') };

/** Returns the content of a message about a heartbeat. */
export const heartbeatContent = (
  { event, name, down: { down_at, because, last_ping_at }, recovered }: HeartbeatNoticeDocument,
  organization: string,
): HeartbeatFacts => ({ event, organization, name, down_at, because, last_ping_at, recovered });

const messageOf = (
  notifier: string,
  content: HeartbeatFacts,
  { organization_id, series, down }: HeartbeatNoticeDocument,
): Omit<NotificationMessage, 'id'> => {
  const { event } = content;
  const form = messageFormOf(notifier);
  const data = form === 'data' ? heartbeatData(content, organization_id) : {};
  const mail = heartbeatMail(content);
  if (form === 'mail') return { event, data, ...serviceEmail(mail, series) };
  const notice = heartbeatNotice(content, `heartbeat-${derivedId(`${series} ${down.number}`)}`);
  return { event, data, subject: mail.subject, text: heartbeatChat(content), notice };
};
