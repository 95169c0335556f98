import type { Receiver } from '../../domain/delivery/decide.ts';
import type { Cause } from '../../domain/delivery/events.ts';
import { instantOf } from '../../domain/time.ts';
import type { AlertEventName } from '../../messages/alert/told.ts';
import { ALERT, type AlertDocument, type AlertNoticeDocument } from '../../projections/alerts/documents.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { alertChannels } from '../../projections/alert-channels/projection.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { changeList, type ChangeList } from '../engine/lists.ts';
import {
  alertMessage,
  alertTold,
  findReceiver,
  organizationName,
  receiversOfChannel,
  type ChannelReceiver,
} from './alert-message.ts';
import type { CauseContext, CauseKind } from './cause.ts';
import { surplus } from './surplus.ts';

/** Alerts of many checks come at once, and each is planned by itself. */
const PLANNED_AT_ONCE = 64;
/** By these, more than so many messages a minute come as a digest; programs get each by itself. */
const DIGESTED: ReadonlySet<string> = new Set(['email', 'telegram', 'max']);

/** That an alert was resolved waits for the message that it fired, which is never given up for it. */
type AlertItem = AlertNoticeDocument & { in_order: true };

/** Tells the channels of an alert that it fired, and that it was resolved. */
export const alert = (context: CauseContext): CauseKind<AlertItem> => {
  const { read, todo, clock } = context;
  const isSurplus = surplus(clock, (receiver_id, since) =>
    read(deliveries).deliveries.count({ receiver_id, created_at: { $gte: instantOf(since) } }),
  );
  return {
    kind: ALERT,
    atOnce: PLANNED_AT_ONCE,
    todo: todo(alerts),
    list: inOrder(changeList(read(alerts).alert_notices)),
    receivers: async (notice, after, limit) => {
      const all = await receiversOf(notice, context);
      const page = all.filter(({ id }) => after === null || id > after).slice(0, limit);
      return Promise.all(page.map((receiver) => planned(receiver, context, isSurplus)));
    },
    compose: async ({ cause, organization_id, receiver_id, notifier }) => {
      const [found, receiver] = await Promise.all([
        alertOfCause(cause, context),
        findReceiver(receiver_id, organization_id, context),
      ]);
      if (!found || receiver?.notifier !== notifier) return null;
      const { alert, event } = found;
      const told = alertTold(alert, event, await organizationName(organization_id, context), context);
      // Only a program is shown all that belongs to it.
      const data = notifier === 'webhook' ? await context.shownAlert(organization_id, alert.id) : {};
      if (!told || !data) return null;
      return { settings: receiver.settings, message: alertMessage(notifier, told, { thread: alert.id, data }) };
    },
  };
};

const inOrder = ({ changedBetween, find, countAfter }: ChangeList<AlertNoticeDocument>): ChangeList<AlertItem> => {
  const ordered = (notices: AlertNoticeDocument[]): AlertItem[] =>
    notices.map((notice) => ({ ...notice, in_order: true }));
  return {
    changedBetween: async (...which) => ordered(await changedBetween(...which)),
    find: async (ids) => ordered(await find(ids)),
    countAfter,
  };
};

/** Those of the channels that are there when it happened, by id. */
const receiversOf = async (
  { organization_id, channel_ids, changed_position }: AlertNoticeDocument,
  context: CauseContext,
): Promise<ChannelReceiver[]> => {
  const channels = await context.readAfter(changed_position)(alertChannels).alert_channels.getMany(channel_ids);
  const own = channels.filter((channel) => channel.organization_id === organization_id);
  const receivers = await Promise.all(own.map((channel) => receiversOfChannel(channel, context)));
  return receivers.flat().sort((one, other) => (one.id < other.id ? -1 : 1));
};

const planned = async (
  { id, notifier, target }: ChannelReceiver,
  { keys }: CauseContext,
  isSurplus: (receiverId: string) => Promise<boolean>,
): Promise<Receiver> => ({
  id,
  notifier,
  target: await keys.fingerprint('delivery target', target),
  held: DIGESTED.has(notifier) && (await isSurplus(id)),
});

/** The alert that a cause is about, and what happened to it. */
export const alertOfCause = async (
  cause: Cause,
  { read }: Pick<CauseContext, 'read'>,
): Promise<{ alert: AlertDocument; event: AlertEventName } | null> => {
  const [id = '', what] = cause.id.split('/');
  const found = await read(alerts).alerts.get(id);
  return found && { alert: found, event: what === 'resolved' ? 'alert.resolved' : 'alert.fired' };
};
