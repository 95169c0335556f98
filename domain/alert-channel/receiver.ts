/**
 * The receiver id in deliveries: the channel's id, or `{channel_id}/{n}` for the nth receiver of a channel with several
 * receivers, counted from 1.
 *
 * @param index the index of the receiver, from 0; null if the channel has only one receiver
 */
export const receiverIdOf = (channelId: string, index: number | null): string =>
  index === null ? channelId : `${channelId}/${index + 1}`;

/** Returns the id of the channel that a receiver belongs to. */
export const channelIdOf = (receiverId: string): string => receiverId.split('/', 1)[0] ?? receiverId;
