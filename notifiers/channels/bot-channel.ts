import { Type } from '@sinclair/typebox';
import type { Say } from '../../domain/alert-channel/problems.ts';
import type { Fields } from '../../domain/fields.ts';
import type { Settings } from '../notifier.ts';
import type { ChannelReceiver, ChannelType } from './channel-type.ts';
import { MASKED, SECRET, textIn } from './fields.ts';

/** One schema for all messengers. */
const BotConfiguration = Type.Object(
  { bot_token: Type.String({ description: MASKED }), chat_id: Type.String() },
  { description: 'telegram, max' },
);

/** The chat that deliveries share a rate limit by, prefixed with the token since chat ids are not globally unique. */
export const chatTarget = ({ bot_token, chat_id }: Settings): string => `${String(bot_token)} ${String(chat_id)}`;

/** The common parts of channels whose messages a bot sends to a chat. */
export const botChannel = (notifier: string) =>
  ({
    name: notifier,
    configuration: BotConfiguration,
    sealed: { bot_token: SECRET },
    read: (given: Fields, previous: Fields | null, say: Say): Fields => {
      const { bot_token, chat_id } = given;
      return {
        bot_token: textIn(bot_token, previous?.['bot_token'], 'bot_token', say),
        // A chat id may also be sent as a JSON number.
        chat_id: Number.isSafeInteger(chat_id) ? String(chat_id) : textIn(chat_id, undefined, 'chat_id', say),
      };
    },
    receivers: ({ bot_token, chat_id }: Fields, channelId: string | null): ChannelReceiver[] => [
      { notifier, settings: { bot_token, chat_id, ...(channelId !== null && { channel_id: channelId }) } },
    ],
    limitedBy: chatTarget,
  }) satisfies Partial<ChannelType>;
