import type { NetworkContext } from '../../network/context.ts';
import { httpRequest, type HttpRequest } from '../../network/http-request.ts';
import { attemptHttp, type SendRequest } from '../http-attempt.ts';
import type { NotificationMessage, SendOutcome, NotifierSettings } from '../notifier.ts';
import { failedAttempt } from '../send-outcomes.ts';
import { payloadForQuery, withPayload } from './get-query.ts';
import { readSettings, validateSettings, type WebhookRules, type WebhookSettings } from './settings.ts';
import { decodeKey, signatureHeaders } from './signature.ts';
import { fillBody, fillUrl } from './template.ts';

/** Dependencies of webhooks. */
export interface WebhookContext extends Omit<NetworkContext, 'signal' | 'policy'>, WebhookRules {}

/**
 * Makes one attempt to send a message to a webhook, within the time limit.
 *
 * @throws LocalFailure
 */
export const postWebhook = async (
  settings: NotifierSettings,
  message: NotificationMessage,
  context: WebhookContext & Pick<NetworkContext, 'signal'>,
  request: SendRequest = httpRequest,
): Promise<SendOutcome> => {
  const [field] = Object.keys(validateSettings(settings, context));
  return field !== undefined ? unusable(field) : post(message, readSettings(settings), context, request);
};

/** Settings are validated again before sending, because the rules may have changed after the settings were saved. */
const unusable = (field: string): SendOutcome =>
  failedAttempt('settings', `The rules for webhooks do not allow its ${field}.`, { permanent: true });

const post = (
  message: NotificationMessage,
  settings: WebhookSettings,
  context: NetworkContext,
  request: SendRequest,
): Promise<SendOutcome> => {
  return attemptHttp(requestOf(message, settings, context.clock.now()), context, 'the webhook', request);
};

/** @param now milliseconds since 1970 */
const requestOf = (message: NotificationMessage, settings: WebhookSettings, now: number): HttpRequest => {
  const { secret, former_secret, headers = {}, method = 'POST' } = settings;
  const { url, body, signed } = contentOf(message, settings);
  const keys = [secret, former_secret].map((each = '') => decodeKey(each)).filter((key) => key !== null);
  const { 'content-type': type = 'application/json', ...others } = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    url,
    method,
    body,
    headers: {
      'user-agent': 'Uptrail',
      ...others,
      ...(body !== null && { 'content-type': type }),
      ...signatureHeaders(message.id, Math.floor(now / 1_000), signed, keys),
    },
  };
};

/**
 * Returns the URL and the body of a message, and the text to sign. A GET request has no body (RFC 9110, 9.3.1). Its
 * message is inserted into the placeholders of the URL, or added to the query as `payload` if the URL has no
 * placeholders.
 */
const contentOf = (
  message: NotificationMessage,
  { url, method, template }: WebhookSettings,
): { url: URL; body: string | null; signed: string } => {
  const { id, event, subject, text, data } = message;
  const filling = { event, values: { event, ...data, message: { id, subject, text } } };
  const target = new URL(template === undefined ? url : fillUrl(url, filling));
  const filled = typeof template === 'string' ? fillBody(template, filling) : null;
  if (method !== 'GET') {
    const body = filled ?? JSON.stringify({ event, ...data });
    return { url: target, body, signed: body };
  }
  if (template !== undefined && url.includes('{{')) return { url: target, body: null, signed: '' };
  const payload = filled ?? payloadForQuery(message);
  return { url: withPayload(target, payload), body: null, signed: payload };
};
