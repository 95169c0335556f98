import { httpFetch } from '../../network/http-request.ts';
import type { Message, SendContext, Sent, Settings } from '../notifier.ts';
import { postTo, type WebhookContext } from './post.ts';

/** A webhook's response, with the outcome that a message would have had. */
export interface Answer {
  sent: Sent;
  /** the body of a 2xx response as text; otherwise empty */
  body: string;
}

/** Posts a message like {@link Notifier.send}, and reads the response. */
export type AskWebhook = (message: Message, settings: Settings, context: SendContext) => Promise<Answer>;

/** Maximum size of a response, bytes; a longer one is ignored. */
const MOST_BYTES = 64 * 1024;

/** Applies the rules, limits and signatures of all webhooks. */
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
