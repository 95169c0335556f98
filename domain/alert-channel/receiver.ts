import type { ChannelType } from './configuration.ts';

/**
 * Who receives what a channel tells, as deliveries name them: the channel itself, or each of the recipients of an
 * e-mail, `{channel_id}/{n}`, counted from 1.
 */
export const receiverIdOf = ({ id, type }: { id: string; type: ChannelType }, index: number): string =>
  type === 'email' ? `${id}/${(index + 1).toString()}` : id;

/** The channel that a receiver belongs to. */
export const channelIdOf = (receiverId: string): string => receiverId.split('/', 1)[0] ?? receiverId;
