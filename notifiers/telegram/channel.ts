import { botChannel } from '../channels/bot.ts';
import { defineChannelType } from '../channels/channel-type.ts';

/** A message of a bot of Telegram; the operator says where its interface is, so index.ts sends it. */
export const telegram = defineChannelType({
  ...botChannel('telegram'),
  arrives:
    'a message of the bot; `chat_id` is a number, or the public name of a channel. A group that becomes a supergroup is followed',
});
