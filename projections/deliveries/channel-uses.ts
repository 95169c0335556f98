import { channelIdOf } from '../../domain/alert-channel/receiver.ts';
import type { Delivery } from '../../domain/delivery/state.ts';
import type { Instant } from '../../domain/time.ts';
import type { Model } from '../engine/fold/define.ts';

/**
 * The time of the most recent attempt to send a message to an alert channel. The document has the id of the channel.
 */
export interface ChannelUseDocument {
  id: string;
  organization_id: string;
  used_at: Instant;
}

export interface ChannelUseModels {
  channel_uses: Model<ChannelUseDocument>;
}

/** Returns the channel of a delivery, or null if the delivery is not for a channel. */
export const channelOf = ({ priority, receiver_id }: Delivery): string | null =>
  priority === 'alert' ? channelIdOf(receiver_id) : null;

/** Records an attempt to send a message. */
export const recordChannelUse = (delivery: Delivery, at: Instant, { channel_uses }: ChannelUseModels): void => {
  const id = channelOf(delivery);
  if (id === null || (channel_uses.get(id)?.used_at ?? '') >= at) return;
  channel_uses.put({ id, organization_id: delivery.organization_id, used_at: at });
};
