/**
 * The receiver of a channel's message in deliveries: the channel itself, or one of its receivers, `{channel_id}/{n}`,
 * counted from 1.
 *
 * @param index the index of the receiver, from 0; null if the channel has only one
 */
export const receiverIdOf = (channelId: string, index: number | null): string =>
  index === null ? channelId : `${channelId}/${index + 1}`;

/** The channel that a receiver belongs to. */
export const channelIdOf = (receiverId: string): string => receiverId.split('/', 1)[0] ?? receiverId;
