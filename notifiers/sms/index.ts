import type { NetworkContext } from '../../network/context.ts';
import { attemptHttp } from '../http-attempt.ts';
import type { Notifier, SendOutcome, NotifierSettings } from '../notifier.ts';
import { failedAttempt, disabledNotifier, unavailableAttempt } from '../send-outcomes.ts';
import type { SmsGateway } from './gateway.ts';
import { bodyFor, urlFor } from './template.ts';

/** Dependencies of the SMS notifier. */
export interface SmsContext extends Omit<NetworkContext, 'signal'> {
  gateway: SmsGateway;
}

/** A phone number in E.164 format. */
const NUMBER = /^\+[1-9]\d{6,14}$/;

/**
 * Statuses that concern the message. All other statuses concern the gateway or the operator's account at the gateway.
 */
const ABOUT_THE_MESSAGE: ReadonlySet<number> = new Set([400, 409, 410, 413, 422]);

/** Creates the notifier that sends SMS through an HTTP gateway. Its settings are `{ number }`. */
export const createSms = ({ gateway, ...network }: SmsContext): Notifier => ({
  ...sms,
  send: async ({ id, text }, settings, { signal }) => {
    const to = numberIn(settings);
    if (to === null) return UNUSABLE;
    const { url, method, headers, body } = gateway;
    const values = { to, text, id };
    const request = {
      url: urlFor(url, values),
      method,
      headers,
      body: body === null ? null : bodyFor(body, values, headers['content-type'] ?? ''),
    };
    return judged(await attemptHttp(request, { ...network, signal }, 'the SMS gateway'));
  },
});

/** Creates the SMS notifier of a service without a gateway. */
export const createNoSms = (why: string): Notifier => disabledNotifier(sms, why);

/**
 * Converts failures of the gateway to `unavailable`. Outcomes with this status pause all SMS and do not count as
 * attempts, because the recipient did not cause the failure.
 */
const judged = (sent: SendOutcome): SendOutcome => {
  if (sent.status !== 'failed') return sent;
  const { response_code, notBefore, reason, error_message } = sent;
  if (response_code !== null && ABOUT_THE_MESSAGE.has(response_code)) return { ...sent, permanent: true };
  return unavailableAttempt(reason, error_message, { notBefore, response_code });
};

const numberIn = ({ number }: NotifierSettings): string | null =>
  typeof number === 'string' && NUMBER.test(number) ? number : null;

const sms = {
  name: 'sms',
  validate: (settings) =>
    numberIn(settings) === null ? { number: ['Must be a number with its country code: +491711234567.'] } : {},
  maskedSettings: (settings) => settings,
  // All SMS go through the same gateway, so they share one rate limit.
  rateLimitTarget: () => 'the SMS gateway',
} satisfies Omit<Notifier, 'send'>;

const UNUSABLE = failedAttempt('settings', 'It is not a number that SMS can be sent to.', { permanent: true });
