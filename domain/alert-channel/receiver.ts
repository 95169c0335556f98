/**
 * Who receives what a channel tells, as deliveries name them: the channel itself, or each of its receivers,
 * `{channel_id}/{n}`, counted from 1.
 *
 * @param index of the receiver, from 0; null: the channel has one
 */
export const receiverIdOf = (channelId: string, index: number | null): string =>
  index === null ? channelId : `${channelId}/${(index + 1).toString()}`;

/** The channel that a receiver belongs to. */
export const channelIdOf = (receiverId: string): string => receiverId.split('/', 1)[0] ?? receiverId;
