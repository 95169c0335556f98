import type { Cause } from '../../domain/delivery/events.ts';
import { derivedId } from '../../domain/identity.ts';
import {
  heartbeatChat,
  heartbeatData,
  heartbeatMail,
  heartbeatNotice,
  type HeartbeatTold,
} from '../../messages/heartbeat.ts';
import { formOf } from '../../notifiers/channels/configuration.ts';
import type { Message } from '../../notifiers/notifier.ts';
import {
  HEARTBEAT_CAUSE,
  heartbeatNoticeId,
  heartbeats,
  type HeartbeatNoticeDocument,
} from '../../projections/heartbeats/projection.ts';
import { findReceiver, mailed, organizationName } from './alert-message.ts';
import { missedBeginning } from './notified-receivers.ts';
import { causesIn, type CauseKind } from './cause.ts';
import { channelReceivers } from './channel-receivers.ts';

/** Notifies the channels of a heartbeat that it went down and that it recovered. */
export const heartbeat: CauseKind<HeartbeatNoticeDocument> = {
  kind: HEARTBEAT_CAUSE,
  list: causesIn(heartbeats, 'heartbeat_notices'),
  isRemembered: ({ event, channel_ids }) => event === 'heartbeat.down' && channel_ids.length > 0,
  tell: (context) => ({
    receivers: async (notice, ...page) => {
      const beginning = goingDownOf(notice);
      const down = beginning && (await context.read(heartbeats).heartbeat_notices.get(beginning.id));
      // The heartbeat had no channels then, so no message was sent.
      if (down?.channel_ids.length === 0) return [];
      return channelReceivers(notice, beginning, page, context);
    },
    compose: async ({ cause, organization_id, receiver_id, notifier }) => {
      const [notice, receiver] = await Promise.all([
        context.read(heartbeats).heartbeat_notices.get(cause.id),
        findReceiver(receiver_id, organization_id, context),
      ]);
      if (!notice || receiver?.notifier !== notifier) return null;
      if (await missedBeginning(goingDownOf(notice), receiver_id, context)) return null;
      const content = heartbeatTold(notice, await organizationName(organization_id, context));
      return { settings: receiver.settings, message: messageOf(notifier, content, notice) };
    },
  }),
};

/**
 * The cause for a heartbeat's failure, given the notice of its recovery; null: the notice is that of the failure
 * itself.
 */
export const goingDownOf = ({ heartbeat_id, down, recovered }: HeartbeatNoticeDocument): Cause | null =>
  recovered && { kind: HEARTBEAT_CAUSE, id: heartbeatNoticeId(heartbeat_id, down.number, 'down') };

/** The content of a heartbeat's message. */
export const heartbeatTold = (
  { event, name, down: { down_at, because, last_ping_at }, recovered }: HeartbeatNoticeDocument,
  organization: string,
): HeartbeatTold => ({ event, organization, name, down_at, because, last_ping_at, recovered });

const messageOf = (
  notifier: string,
  content: HeartbeatTold,
  { organization_id, series, down }: HeartbeatNoticeDocument,
): Omit<Message, 'id'> => {
  const { event } = content;
  const form = formOf(notifier);
  const data = form === 'data' ? heartbeatData(content, organization_id) : {};
  const mail = heartbeatMail(content);
  if (form === 'mail') return { event, data, ...mailed(mail, series) };
  const notice = heartbeatNotice(content, `heartbeat-${derivedId(`${series} ${down.number.toString()}`)}`);
  return { event, data, subject: mail.subject, text: heartbeatChat(content), notice };
};
