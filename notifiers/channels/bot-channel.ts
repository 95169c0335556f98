import { Type } from '@sinclair/typebox';
import type { ProblemReporter } from '../../domain/alert-channel/problems.ts';
import type { Fields } from '../../domain/fields.ts';
import type { NotifierSettings } from '../notifier.ts';
import type { ChannelReceiver, ChannelType } from './channel-type.ts';
import { MASKED_DESCRIPTION, SECRET, readText } from './fields.ts';

/** The schema of the configuration, which is the same for all messengers. */
const BotConfiguration = Type.Object(
  { bot_token: Type.String({ description: MASKED_DESCRIPTION }), chat_id: Type.String() },
  { description: 'telegram, max' },
);

/** Returns the rate-limit target: the token and the chat id. Chat ids alone are not globally unique. */
export const chatRateLimitTarget = ({ bot_token, chat_id }: NotifierSettings): string =>
  `${String(bot_token)} ${String(chat_id)}`;

/** Returns the properties that all channels of messenger bots have in common. */
export const botChannel = (notifier: string) =>
  ({
    name: notifier,
    configuration: BotConfiguration,
    sealed: { bot_token: SECRET },
    read: (given: Fields, previous: Fields | null, say: ProblemReporter): Fields => {
      const { bot_token, chat_id } = given;
      return {
        bot_token: readText(bot_token, previous?.['bot_token'], 'bot_token', say),
        // The API also accepts a chat id as a JSON number.
        chat_id: Number.isSafeInteger(chat_id) ? String(chat_id) : readText(chat_id, undefined, 'chat_id', say),
      };
    },
    receivers: ({ bot_token, chat_id }: Fields, channelId: string | null): ChannelReceiver[] => [
      { notifier, settings: { bot_token, chat_id, ...(channelId !== null && { channel_id: channelId }) } },
    ],
    rateLimitTarget: chatRateLimitTarget,
  }) satisfies Partial<ChannelType>;
