import { httpFetch, type HttpRequest } from '../network/http-request.ts';
import type { NetworkContext } from '../network/context.ts';
import { isFields, type Fields } from '../domain/fields.ts';
import { tryHttp } from './http-try.ts';
import type { Sent, Settings, SettingsErrors } from './notifier.ts';
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

/** Validated settings. */
export const readBotSettings = (settings: Settings): BotSettings => settings as unknown as BotSettings;

/** The chat that messages share a limit by; a token stands before it, since numbers of chats are not unique. */
export const chatTarget = (settings: Settings): string => {
  const { bot_token, chat_id } = readBotSettings(settings);
  return `${bot_token} ${chat_id}`;
};

/** What a bot was answered, and the outcome by its status. */
export interface BotAnswer {
  sent: Sent;
  /** the fields of the answer, which says more than its status; none if it is no JSON */
  said: Fields;
}

/** Bytes of an answer; a longer one is none. */
const MOST_BYTES = 64 * 1024;

/** Visible ASCII characters: it becomes part of a path or a header. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;

/**
 * Sends a request, and reads the answer whatever its status.
 *
 * @param who for sentences: `Telegram`
 * @throws OwnTrouble
 */
export const askBot = async (request: HttpRequest, context: NetworkContext, who: string): Promise<BotAnswer> => {
  let said: Fields = {};
  const sent = await tryHttp(request, context, who, async (asked, of, enter) => {
    const answer = await httpFetch(asked, MOST_BYTES, of, enter);
    said = fieldsIn(answer.body.toString());
    return answer;
  });
  return { sent, said };
};

const fieldsIn = (text: string): Fields => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
};

/** What is wrong with the settings of a bot, by field. */
export const botProblems = ({ bot_token, chat_id }: Settings, chat: RegExp, chatSentence: string): SettingsErrors => ({
  ...(!(typeof bot_token === 'string' && TOKEN.test(bot_token)) && {
    bot_token: ['Must be the token of a bot: visible ASCII characters.'],
  }),
  ...(!(typeof chat_id === 'string' && chat.test(chat_id)) && { chat_id: [chatSentence] }),
});

/** Settings that were valid when they were set up may be refused now. */
export const UNUSABLE_BOT = failedTry('settings', 'The token or the chat of the bot can not be used.', {
  permanent: true,
});
