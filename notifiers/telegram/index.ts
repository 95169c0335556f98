import { isFields } from '../../domain/fields.ts';
import { instantOf } from '../../domain/time.ts';
import { requestService } from '../service-request.ts';
import { botNotifier, type BotContext } from '../bot-notifier.ts';
import type { ServiceResponse, ServiceRequest } from '../channels/channel-type.ts';
import { shortenTo } from '../shorten.ts';
import type { Notifier, SendOutcome } from '../notifier.ts';
import { failedAttempt } from '../send-outcomes.ts';

/** Maximum length of a text, in UTF-16 units. */
const LONGEST_TEXT = 4_096;
/** Matches the numeric id of a chat, or the public name of a channel or group. */
const CHAT = /^(-?\d{1,19}|@[A-Za-z0-9_]{4,32})$/;
/** Maximum pause that Telegram can request before the next message, in seconds. */
const LONGEST_PAUSE = 86_400;
const WHO = 'Telegram';

/** Creates the notifier that sends messages as a Telegram bot (https://core.telegram.org/bots/api#sendmessage). */
export const createTelegram = (context: BotContext): Notifier =>
  botNotifier({
    name: 'telegram',
    chatPattern: CHAT,
    invalidChatMessage: 'Must be the number of a chat, or the public name of a channel such as @example.',
    send: async (text, { bot_token, chat_id }, signal) => {
      const post = (chat: string): Promise<ServiceResponse> =>
        requestService(requestOf(context.apiUrl, bot_token, chat, text), { ...context, signal }, WHO);
      const answer = await post(chat_id);
      const to = movedTo(answer);
      if (to === null) return judged(answer, context.clock.now());
      // A group that becomes a supergroup gets a new id. Telegram then refuses the message and returns the new id.
      return { ...judged(await post(to), context.clock.now()), moved_to: to };
    },
  });

const requestOf = (apiUrl: string, token: string, chat_id: string, text: string): ServiceRequest => ({
  // Every token contains a colon, which needs no escape in a path.
  url: new URL(`${apiUrl}/bot${encodeURIComponent(token).replaceAll('%3A', ':')}/sendMessage`),
  body: { chat_id, text: shortenTo(text, LONGEST_TEXT), link_preview_options: { is_disabled: true } },
});

const parametersIn = ({ fields }: ServiceResponse) => (isFields(fields?.['parameters']) ? fields['parameters'] : {});

/** Returns the new id of a group that has become a supergroup; null if the group has not moved. */
const movedTo = (answer: ServiceResponse): string | null => {
  const to = parametersIn(answer)['migrate_to_chat_id'];
  return answer.outcome.status === 'failed' &&
    (typeof to === 'number' || typeof to === 'string') &&
    CHAT.test(String(to))
    ? String(to)
    : null;
};

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'Telegram did not accept the message: the chat may not exist.',
  401: 'Telegram does not know the token of the bot.',
  403: 'Telegram does not let the bot write to the chat.',
  404: 'Telegram does not know the token of the bot.',
};

/** @param now milliseconds since 1970 */
const judged = (answer: ServiceResponse, now: number): SendOutcome => {
  const { outcome, fields } = answer;
  if (outcome.status === 'delivered') {
    return fields === null || fields['ok'] === true
      ? outcome
      : failedAttempt('protocol', 'There was no valid answer from Telegram.');
  }
  if (outcome.status !== 'failed' || outcome.response_code === null) return outcome;
  const error_message = REFUSALS[outcome.response_code] ?? outcome.error_message;
  const pause = parametersIn(answer)['retry_after'];
  if (outcome.response_code !== 429 || typeof pause !== 'number' || !(pause > 0)) return { ...outcome, error_message };
  return { ...outcome, notBefore: instantOf(now + Math.min(pause, LONGEST_PAUSE) * 1_000) };
};
