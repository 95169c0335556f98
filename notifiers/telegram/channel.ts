import { botChannel } from '../channels/bot-channel.ts';
import { defineChannelType } from '../channels/channel-type.ts';

/**
 * Sends a message as a Telegram bot. The sending itself is in index.ts, because the operator configures the address of
 * the API.
 */
export const telegram = defineChannelType({
  ...botChannel('telegram'),
  delivers:
    'a message of the bot; `chat_id` is a number, or the public name of a channel. A group that becomes a supergroup is followed',
});
