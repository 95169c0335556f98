import { botChannel } from '../channels/bot-channel.ts';
import { defineChannelType } from '../channels/channel-type.ts';

/** A message from a MAX bot. The operator configures the API's address, so index.ts sends it. */
export const max = defineChannelType({ ...botChannel('max'), delivers: 'a message of the bot' });
