import { Type } from '@sinclair/typebox';
import type { ProblemReporter } from '../../domain/alert-channel/problems.ts';
import type { Fields } from '../../domain/fields.ts';
import type { NotifierSettings } from '../notifier.ts';
import type { ChannelReceiver, ChannelType } from './channel-type.ts';
import { MASKED_DESCRIPTION, SECRET, readText } from './fields.ts';

/** One schema for all messengers. */
const BotConfiguration = Type.Object(
  { bot_token: Type.String({ description: MASKED_DESCRIPTION }), chat_id: Type.String() },
  { description: 'telegram, max' },
);

/** The chat that deliveries share a rate limit by, prefixed with the token since chat ids are not globally unique. */
export const chatRateLimitTarget = ({ bot_token, chat_id }: NotifierSettings): string =>
  `${String(bot_token)} ${String(chat_id)}`;

/** The common parts of channels whose messages a bot sends to a chat. */
export const botChannel = (notifier: string) =>
  ({
    name: notifier,
    configuration: BotConfiguration,
    sealed: { bot_token: SECRET },
    read: (given: Fields, previous: Fields | null, say: ProblemReporter): Fields => {
      const { bot_token, chat_id } = given;
      return {
        bot_token: readText(bot_token, previous?.['bot_token'], 'bot_token', say),
        // A chat id may also be sent as a JSON number.
        chat_id: Number.isSafeInteger(chat_id) ? String(chat_id) : readText(chat_id, undefined, 'chat_id', say),
      };
    },
    receivers: ({ bot_token, chat_id }: Fields, channelId: string | null): ChannelReceiver[] => [
      { notifier, settings: { bot_token, chat_id, ...(channelId !== null && { channel_id: channelId }) } },
    ],
    rateLimitTarget: chatRateLimitTarget,
  }) satisfies Partial<ChannelType>;
