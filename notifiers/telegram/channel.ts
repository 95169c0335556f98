import { botChannel } from '../channels/bot-channel.ts';
import { defineChannelType } from '../channels/channel-type.ts';

/** A message from a Telegram bot. The operator configures the API's address, so index.ts sends it. */
export const telegram = defineChannelType({
  ...botChannel('telegram'),
  delivers:
    'a message of the bot; `chat_id` is a number, or the public name of a channel. A group that becomes a supergroup is followed',
});
