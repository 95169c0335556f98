import type { NetworkContext } from '../../network/context.ts';
import { httpRequest } from '../../network/http-request.ts';
import { tryHttp, type Exchange } from '../http-try.ts';
import type { Message, Sent, Settings } from '../notifier.ts';
import { failedTry } from '../outcomes.ts';
import { readSettings, validateSettings, type WebhookRules, type WebhookSettings } from './settings.ts';
import { keyOf, signatureHeaders } from './signature.ts';
import { filledBody, filledUrl } from './template.ts';

/** What webhooks need from the outside. */
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

/** Settings that were valid when they were set up may be refused now. */
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
const requestOf = (
  { id, event, subject, text, data }: Message,
  { url, method = 'POST', headers = {}, secret, former_secret, template }: WebhookSettings,
  now: number,
) => {
  const filling = { event, values: { event, ...data, message: { id, subject, text } } };
  const body = typeof template === 'string' ? filledBody(template, filling) : JSON.stringify({ event, ...data });
  const keys = [secret, former_secret].map((each = '') => keyOf(each)).filter((key) => key !== null);
  return {
    url: new URL(template === undefined ? url : filledUrl(url, filling)),
    method,
    body,
    headers: {
      'user-agent': 'Uptrail',
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      'content-type': 'application/json',
      ...signatureHeaders(id, Math.floor(now / 1_000), body, keys),
    },
  };
};
