import type { NetworkContext } from '../../network/context.ts';
import { httpRequest, type HttpRequest } from '../../network/http-request.ts';
import { tryHttp, type Exchange } from '../http-attempt.ts';
import type { Message, Sent, Settings } from '../notifier.ts';
import { failedTry } from '../send-outcomes.ts';
import { payloadForQuery, withPayload } from './get-query.ts';
import { readSettings, validateSettings, type WebhookRules, type WebhookSettings } from './settings.ts';
import { keyOf, signatureHeaders } from './signature.ts';
import { filledBody, filledUrl } from './template.ts';

/** What webhooks depend on. */
export interface WebhookContext extends Omit<NetworkContext, 'signal' | 'policy'>, WebhookRules {}

/** Posts a message once, within the time limit. @throws OwnTrouble */
export const postTo = async (
  settings: Settings,
  message: Message,
  context: WebhookContext & Pick<NetworkContext, 'signal'>,
  request: Exchange = httpRequest,
): Promise<Sent> => {
  const [field] = Object.keys(validateSettings(settings, context));
  return field !== undefined ? unusable(field) : post(message, readSettings(settings), context, request);
};

/** Settings that were valid when saved may be refused later. */
const unusable = (field: string): Sent =>
  failedTry('settings', `The rules for webhooks do not allow its ${field}.`, { permanent: true });

const post = (
  message: Message,
  settings: WebhookSettings,
  context: NetworkContext,
  request: Exchange,
): Promise<Sent> => {
  return tryHttp(requestOf(message, settings, context.clock.now()), context, 'the webhook', request);
};

/** @param now milliseconds since 1970 */
const requestOf = (message: Message, settings: WebhookSettings, now: number): HttpRequest => {
  const { secret, former_secret, headers = {}, method = 'POST' } = settings;
  const { url, body, signed } = contentOf(message, settings);
  const keys = [secret, former_secret].map((each = '') => keyOf(each)).filter((key) => key !== null);
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
 * The URL and body of a message. A GET has no body (RFC 9110, 9.3.1): the message fills the placeholders of its URL, or
 * goes into the query as `payload` if there are none.
 */
const contentOf = (
  message: Message,
  { url, method, template }: WebhookSettings,
): { url: URL; body: string | null; signed: string } => {
  const { id, event, subject, text, data } = message;
  const filling = { event, values: { event, ...data, message: { id, subject, text } } };
  const target = new URL(template === undefined ? url : filledUrl(url, filling));
  const filled = typeof template === 'string' ? filledBody(template, filling) : null;
  if (method !== 'GET') {
    const body = filled ?? JSON.stringify({ event, ...data });
    return { url: target, body, signed: body };
  }
  if (template !== undefined && url.includes('{{')) return { url: target, body: null, signed: '' };
  const payload = filled ?? payloadForQuery(message);
  return { url: withPayload(target, payload), body: null, signed: payload };
};
