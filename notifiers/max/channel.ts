import { botChannel } from '../channels/bot.ts';
import { defineChannelType } from '../channels/channel-type.ts';

/** A message of a bot of MAX; the operator says where its interface is, so index.ts sends it. */
export const max = defineChannelType({ ...botChannel('max'), arrives: 'a message of the bot' });
