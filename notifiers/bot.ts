import { MASK } from '../domain/check/mask.ts';
import type { NetworkContext } from '../network/context.ts';
import { chatTarget } from './channels/bot.ts';
import { isToken } from './channels/fields.ts';
import type { Notifier, Sent, Settings, SettingsErrors } from './notifier.ts';
import { failedTry } from './outcomes.ts';

/** What the interface of a messenger's bots needs from the outside. */
export interface BotContext extends Omit<NetworkContext, 'signal'> {
  /** where its interface is, without a slash at its end */
  apiUrl: string;
}

/** The settings of a bot's message. */
export interface BotSettings {
  bot_token: string;
  chat_id: string;
}

const readBotSettings = (settings: Settings): BotSettings => settings as unknown as BotSettings;

/** What tells one messenger from another. */
export interface Messenger {
  name: string;
  /** what the chat in the settings must match */
  chat: RegExp;
  /** what is said of one that does not */
  chatSentence: string;
  /** Tries once to send a text, with settings that are right. */
  send: (text: string, settings: BotSettings, signal: AbortSignal) => Promise<Sent>;
}

/** The notifier that sends messages as a bot of a messenger. */
export const botNotifier = ({ name, chat, chatSentence, send }: Messenger): Notifier => {
  const validate = ({ bot_token, chat_id }: Settings): SettingsErrors => ({
    ...(!isToken(bot_token) && { bot_token: ['Must be the token of a bot: visible ASCII characters.'] }),
    ...(!(typeof chat_id === 'string' && chat.test(chat_id)) && { chat_id: [chatSentence] }),
  });
  return {
    name,
    validate,
    shown: (settings) => ({ ...settings, bot_token: MASK }),
    limitedBy: chatTarget,
    send: async ({ text }, settings, { signal }) =>
      Object.keys(validate(settings)).length > 0 ? UNUSABLE_BOT : send(text, readBotSettings(settings), signal),
  };
};

/** Settings that were valid when they were set up may be refused now. */
const UNUSABLE_BOT = failedTry('settings', 'The token or the chat of the bot can not be used.', { permanent: true });
