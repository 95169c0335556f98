import type { DeliveryReceiver } from '../../domain/delivery/decide.ts';
import type { Cause } from '../../domain/delivery/events.ts';
import { instantOf } from '../../domain/time.ts';
import { messageFormOf, type IdentifiedReceiver } from '../../notifiers/channels/configuration.ts';
import { alertChannels } from '../../projections/alert-channels/projection.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import type { Read } from '../../projections/readers.ts';
import { receiversOfChannel } from './alert-message.ts';
import { receiversNotifiedOfBeginning } from './notified-receivers.ts';
import type { CauseContext } from './cause.ts';
import { createSurplusCounter } from './surplus-messages.ts';

/** The channels to be notified of a cause. `changed_position` is the position of the cause. */
interface NotifiedChannels {
  organization_id: string;
  channel_ids: readonly string[];
  changed_position: number;
}

/**
 * Returns a page of the receivers of channels, ordered by id. Reads the channels in their state at the time of the
 * cause or later.
 *
 * @param beginning for a cause that ends something, such as a resolution: the cause of the corresponding beginning.
 * Receivers that were not notified of the beginning are left out. Null for all other causes
 */
export const listChannelReceivers = async (
  { organization_id, channel_ids, changed_position }: NotifiedChannels,
  beginning: Cause | null,
  [after, limit]: [after: string | null, limit: number],
  context: Pick<CauseContext, 'read' | 'readAfter' | 'keys' | 'isSurplus'>,
): Promise<DeliveryReceiver[]> => {
  const channels = await context.readAfter(changed_position)(alertChannels).alert_channels.getMany(channel_ids);
  const own = channels.filter((channel) => channel.organization_id === organization_id);
  const all = (await Promise.all(own.map((channel) => receiversOfChannel(channel, context)))).flat();
  const page = [...(await receiversNotifiedOfBeginning(beginning, all, context))]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .filter(({ id }) => after === null || id > after)
    .slice(0, limit);
  return Promise.all(page.map((receiver) => planned(receiver, context)));
};

const planned = async (
  { id, notifier, target }: IdentifiedReceiver,
  { keys, isSurplus }: Pick<CauseContext, 'keys' | 'isSurplus'>,
): Promise<DeliveryReceiver> => ({
  id,
  notifier,
  target: await keys.fingerprint('delivery target', target),
  held: messageFormOf(notifier) !== 'data' && (await isSurplus(id)),
});

/**
 * Creates a function that counts the messages to each receiver, whatever their causes. The function returns whether one
 * more message would exceed the number of messages that the receiver gets individually.
 */
export const createReceiverSurplus = (clock: () => number, read: Read): ((receiverId: string) => Promise<boolean>) =>
  createSurplusCounter(clock, (receiver_id, since) =>
    read(deliveries).deliveries.count({ receiver_id, created_at: { $gte: instantOf(since) } }),
  );
