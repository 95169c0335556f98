import { httpAsk } from '../network/http-request.ts';
import type { NetworkContext } from '../network/context.ts';
import { MASK } from '../domain/check/mask.ts';
import { isFields, type Fields } from '../domain/fields.ts';
import { tryHttp } from './http-try.ts';
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

/** The chat that messages share a limit by; a token stands before it, since numbers of chats are not unique. */
export const chatTarget = (settings: Settings): string => {
  const { bot_token, chat_id } = readBotSettings(settings);
  return `${bot_token} ${chat_id}`;
};

/** What a bot was answered, and the outcome by its status. */
export interface BotAnswer {
  sent: Sent;
  /**
   * the fields of the answer, which says more than its status; none if it is no JSON. null if it did not come whole:
   * then its status decides, since a message that was taken must not be sent again
   */
  said: Fields | null;
}

/** Bytes of an answer that are read. */
const MOST_BYTES = 64 * 1024;

/** Visible ASCII characters: it becomes part of a path or a header. */
const TOKEN = /^[\x21-\x7e]{1,512}$/;

/** A request to the interface of a messenger. */
export interface BotRequest {
  url: URL;
  headers?: Readonly<Record<string, string>>;
  body: Fields;
}

/**
 * Sends a request, and reads the answer whatever its status.
 *
 * @param who for sentences: `Telegram`
 * @throws OwnTrouble
 */
export const askBot = async (
  { url, headers, body }: BotRequest,
  context: NetworkContext,
  who: string,
): Promise<BotAnswer> => {
  const request = {
    url,
    method: 'POST',
    headers: { 'user-agent': 'Uptrail', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  let said: Fields | null = null;
  const sent = await tryHttp(request, context, who, async (asked, of, enter) => {
    const answer = await httpAsk(asked, MOST_BYTES, of, enter);
    said = answer.body && fieldsIn(answer.body.toString());
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
    ...(!(typeof bot_token === 'string' && TOKEN.test(bot_token)) && {
      bot_token: ['Must be the token of a bot: visible ASCII characters.'],
    }),
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
