import { MASKED_TEXT } from '../domain/masking.ts';
import type { NetworkContext } from '../network/context.ts';
import { chatRateLimitTarget } from './channels/bot-channel.ts';
import { isToken } from './channels/fields.ts';
import type { Notifier, SendOutcome, NotifierSettings, SettingsErrors } from './notifier.ts';
import { failedAttempt } from './send-outcomes.ts';

/** Dependencies of a notifier that calls a messenger's bot API. */
export interface BotContext extends Omit<NetworkContext, 'signal'> {
  /** base URL of the API, without a trailing slash */
  apiUrl: string;
}

/** The settings of a bot notifier. */
export interface BotSettings {
  bot_token: string;
  chat_id: string;
}

const readBotSettings = (settings: NotifierSettings): BotSettings => settings as unknown as BotSettings;

/** The properties in which messengers differ. */
export interface Messenger {
  name: string;
  /** pattern that a chat id has to match */
  chatPattern: RegExp;
  /** error message for an invalid chat id */
  invalidChatMessage: string;
  /** Makes one attempt to send a text. The settings have been validated. */
  send: (text: string, settings: BotSettings, signal: AbortSignal) => Promise<SendOutcome>;
}

/** Creates the notifier for a messenger's bot. */
export const botNotifier = ({ name, chatPattern, invalidChatMessage, send }: Messenger): Notifier => {
  const validate = ({ bot_token, chat_id }: NotifierSettings): SettingsErrors => ({
    ...(!isToken(bot_token) && { bot_token: ['Must be the token of a bot: visible ASCII characters.'] }),
    ...(!(typeof chat_id === 'string' && chatPattern.test(chat_id)) && { chat_id: [invalidChatMessage] }),
  });
  return {
    name,
    validate,
    maskedSettings: (settings) => ({ ...settings, bot_token: MASKED_TEXT }),
    rateLimitTarget: chatRateLimitTarget,
    send: async ({ text }, settings, { signal }) =>
      Object.keys(validate(settings)).length > 0 ? UNUSABLE_BOT : send(text, readBotSettings(settings), signal),
  };
};

/** Settings are validated again before sending, because the rules may have changed after the settings were saved. */
const UNUSABLE_BOT = failedAttempt('settings', 'The token or the chat of the bot can not be used.', {
  permanent: true,
});
