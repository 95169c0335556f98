import { httpFetch } from '../../network/http-request.ts';
import type { NotificationMessage, SendContext, SendOutcome, NotifierSettings } from '../notifier.ts';
import { postWebhook, type WebhookContext } from './post.ts';

/** A webhook's response, with the outcome that a message would have had. */
export interface WebhookResponse {
  outcome: SendOutcome;
  /** the body of a 2xx response as text; otherwise empty */
  body: string;
}

/** Posts a message like {@link Notifier.send}, and reads the response. */
export type RequestWebhook = (
  message: NotificationMessage,
  settings: NotifierSettings,
  context: SendContext,
) => Promise<WebhookResponse>;

/** Maximum size of a response, bytes; a longer one is ignored. */
const MOST_BYTES = 64 * 1024;

/** Applies the rules, limits and signatures of all webhooks. */
export const createRequestWebhook =
  (context: WebhookContext): RequestWebhook =>
  async (message, settings, { signal }) => {
    let body = '';
    const sent = await postWebhook(settings, message, { ...context, signal }, async (request, of, enter) => {
      const answer = await httpFetch(request, MOST_BYTES, of, enter);
      body = answer.body.toString();
      return answer;
    });
    return { outcome: sent, body: sent.status === 'delivered' ? body : '' };
  };
