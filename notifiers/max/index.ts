import { isFields } from '../../domain/fields.ts';
import { requestService } from '../service-request.ts';
import { botNotifier, type BotContext } from '../bot-notifier.ts';
import { shortenTo } from '../shorten.ts';
import type { Notifier } from '../notifier.ts';
import { failedAttempt } from '../send-outcomes.ts';
import { withOwnSentence } from '../refusals.ts';

/** Maximum length of a text, in UTF-16 units. */
const LONGEST_TEXT = 4_000;
const CHAT = /^-?\d{1,19}$/;
const WHO = 'MAX';

/** Creates the notifier that sends messages as a bot of MAX (https://dev.max.ru/docs-api/methods/POST/messages). */
export const createMax = (context: BotContext): Notifier =>
  botNotifier({
    name: 'max',
    chatPattern: CHAT,
    invalidChatMessage: 'Must be the number of a chat.',
    send: async (text, { bot_token, chat_id }, signal) => {
      const request = {
        url: new URL(`${context.apiUrl}/messages?chat_id=${chat_id}&disable_link_preview=true`),
        headers: { authorization: bot_token },
        body: { text: shortenTo(text, LONGEST_TEXT) },
      };
      const { outcome, fields } = await requestService(request, { ...context, signal }, WHO);
      if (outcome.status !== 'delivered') return withOwnSentence(outcome, REFUSALS);
      return fields === null || isFields(fields['message'])
        ? outcome
        : failedAttempt('protocol', 'There was no valid answer from MAX.');
    },
  });

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'MAX did not accept the message: the chat may not exist.',
  401: 'MAX does not know the token of the bot.',
  403: 'MAX does not let the bot write to the chat.',
  404: 'MAX does not know the chat.',
};
