import { httpFetch } from '../../network/http-request.ts';
import type { Message, SendContext, Sent, Settings } from '../notifier.ts';
import { postTo, type WebhookContext } from './post.ts';

/** What a webhook said, and the outcome as if it had been a message. */
export interface Answer {
  sent: Sent;
  /** the body of an answer that accepts the message, as text; empty otherwise */
  body: string;
}

/** Posts a message like {@link Notifier.send}, and reads the answer. */
export type AskWebhook = (message: Message, settings: Settings, context: SendContext) => Promise<Answer>;

/** Bytes of an answer; a longer one is none. */
const MOST_BYTES = 64 * 1024;

/** Asks by the rules, the limits and the signature of all webhooks. */
export const createAskWebhook =
  (context: WebhookContext): AskWebhook =>
  async (message, settings, { signal }) => {
    let body = '';
    const sent = await postTo(settings, message, { ...context, signal }, async (request, of, enter) => {
      const answer = await httpFetch(request, MOST_BYTES, of, enter);
      body = answer.body.toString();
      return answer;
    });
    return { sent, body: sent.status === 'delivered' ? body : '' };
  };
