import { MASK } from '../../domain/check/mask.ts';
import { isFields } from '../../domain/fields.ts';
import { askBot, botProblems, chatTarget, readBotSettings, UNUSABLE_BOT, type BotContext } from '../bot.ts';
import { cutTo } from '../cut.ts';
import type { Notifier, Sent, Settings } from '../notifier.ts';
import { failedTry } from '../outcomes.ts';

/** A text that the interface takes, UTF-16 units. */
const LONGEST_TEXT = 4_000;
const CHAT = /^-?\d{1,19}$/;
const WHO = 'MAX';

/** Sends messages as a bot of MAX (https://dev.max.ru/docs-api/methods/POST/messages). */
export const createMax = (context: BotContext): Notifier => ({
  name: 'max',
  validate: problemsOf,
  shown: (settings) => ({ ...settings, bot_token: MASK }),
  limitedBy: chatTarget,
  send: async ({ text }, settings, { signal }) => {
    if (Object.keys(problemsOf(settings)).length > 0) return UNUSABLE_BOT;
    const { bot_token, chat_id } = readBotSettings(settings);
    const request = {
      url: new URL(`${context.apiUrl}/messages?chat_id=${chat_id}&disable_link_preview=true`),
      method: 'POST',
      headers: { 'user-agent': 'Uptrail', authorization: bot_token, 'content-type': 'application/json' },
      body: JSON.stringify({ text: cutTo(text, LONGEST_TEXT) }),
    };
    const { sent, said } = await askBot(request, { ...context, signal }, WHO);
    if (sent.status !== 'delivered') return inOwnWords(sent);
    return isFields(said['message']) ? sent : failedTry('protocol', 'There was no valid answer from MAX.');
  },
});

const problemsOf = (settings: Settings) => botProblems(settings, CHAT, 'Must be the number of a chat.');

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'MAX did not take the message: the chat may not exist.',
  401: 'MAX does not know the token of the bot.',
  403: 'MAX does not let the bot write to the chat.',
  404: 'MAX does not know the chat.',
};

const inOwnWords = (sent: Sent): Sent =>
  sent.status === 'failed' && sent.response_code !== null
    ? { ...sent, error_message: REFUSALS[sent.response_code] ?? sent.error_message }
    : sent;
