import { botChannel } from '../channels/bot-channel.ts';
import { defineChannelType } from '../channels/channel-type.ts';

/**
 * Sends a message as a MAX bot. The sending itself is in index.ts, because the operator configures the address of the
 * API.
 */
export const max = defineChannelType({ ...botChannel('max'), delivers: 'a message of the bot' });
