import { heartbeatChat, heartbeatData, heartbeatMail, type HeartbeatTold } from '../../messages/heartbeat.ts';
import type { Message } from '../../notifiers/notifier.ts';
import { alertChannels } from '../../projections/alert-channels/projection.ts';
import { HEARTBEAT_CAUSE, heartbeats, type HeartbeatNoticeDocument } from '../../projections/heartbeats/projection.ts';
import { changeList } from '../engine/lists.ts';
import { findReceiver, organizationName, receiversOfChannel } from './alert-message.ts';
import type { CauseContext, CauseKind } from './cause.ts';

/** Tells the channels of a heartbeat that it went down, and that it recovered. */
export const heartbeat = (context: CauseContext): CauseKind<HeartbeatNoticeDocument> => {
  const { read, readAfter, keys, todo } = context;
  return {
    kind: HEARTBEAT_CAUSE,
    todo: todo(heartbeats),
    list: changeList(read(heartbeats).heartbeat_notices),
    receivers: async ({ organization_id, channel_ids, changed_position }, after, limit) => {
      const channels = await readAfter(changed_position)(alertChannels).alert_channels.getMany(channel_ids);
      const own = channels.filter((channel) => channel.organization_id === organization_id);
      const all = (await Promise.all(own.map((channel) => receiversOfChannel(channel, context)))).flat();
      const page = all
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .filter(({ id }) => after === null || id > after)
        .slice(0, limit);
      return Promise.all(
        page.map(async ({ id, notifier, target }) => ({
          id,
          notifier,
          target: await keys.fingerprint('delivery target', target),
        })),
      );
    },
    compose: async ({ cause, organization_id, receiver_id, notifier }) => {
      const [notice, receiver] = await Promise.all([
        read(heartbeats).heartbeat_notices.get(cause.id),
        findReceiver(receiver_id, organization_id, context),
      ]);
      if (!notice || receiver?.notifier !== notifier) return null;
      const told = toldBy(notice, await organizationName(organization_id, context));
      return { settings: receiver.settings, message: messageOf(notifier, told, notice) };
    },
  };
};

const toldBy = (
  { event, name, down: { down_at, because, last_ping_at }, recovered }: HeartbeatNoticeDocument,
  organization: string,
): HeartbeatTold => ({ event, organization, name, down_at, because, last_ping_at, recovered });

const messageOf = (
  notifier: string,
  told: HeartbeatTold,
  { organization_id, series }: HeartbeatNoticeDocument,
): Omit<Message, 'id'> => {
  const { event } = told;
  const data = notifier === 'webhook' ? heartbeatData(told, organization_id) : {};
  const { subject, text, html } = heartbeatMail(told);
  if (notifier !== 'email') return { event, data, subject, text: heartbeatChat(told) };
  const sender = { name: '', from: null, replyTo: null };
  return { event, data, subject, text, mail: { html, thread: series, sender, unsubscribeUrl: null } };
};
