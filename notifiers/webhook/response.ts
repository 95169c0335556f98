import { httpFetch } from '../../network/http-request.ts';
import type { NotificationMessage, SendContext, SendOutcome, NotifierSettings } from '../notifier.ts';
import { postWebhook, type WebhookContext } from './post.ts';

/** The response of a webhook, and the outcome that an ordinary message with this response would have. */
export interface WebhookResponse {
  outcome: SendOutcome;
  /** the body of a 2xx response as text; empty for any other response */
  body: string;
}

/** A function that sends a message like {@link Notifier.send}, and also returns the response. */
export type RequestWebhook = (
  message: NotificationMessage,
  settings: NotifierSettings,
  context: SendContext,
) => Promise<WebhookResponse>;

/** Maximum size of a response, in bytes. A longer response is ignored. */
const MOST_BYTES = 64 * 1024;

/** Creates the function that requests a webhook. The rules, limits and signatures of all webhooks apply. */
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
