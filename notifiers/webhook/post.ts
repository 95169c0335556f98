import { whyNotConnected } from '../../network/not-connected.ts';
import type { NetworkContext } from '../../network/context.ts';
import { httpRequest, type HttpAnswer, type HttpPhase, type HttpRequest } from '../../network/http-request.ts';
import { NoHttpAnswer } from '../../network/no-http-answer.ts';
import type { Message, Sent, Settings } from '../notifier.ts';
import { judgeAnswer } from './answer.ts';
import { readSettings, validateSettings, type WebhookRules, type WebhookSettings } from './settings.ts';
import { keyOf, signatureHeaders } from './signature.ts';

/** How long a target has to answer, milliseconds (decisions.md: Subscribers). */
const TIME_LIMIT_MS = 10_000;
const TIME_IS_UP = new Error('The time of the webhook is up.');

/** What webhooks need from the outside. */
export interface WebhookContext extends Omit<NetworkContext, 'signal' | 'policy'>, WebhookRules {}

/** Sends a request and waits for its answer, or for its head alone (network/http-request.ts). */
type Exchange = (
  request: HttpRequest,
  context: NetworkContext,
  enter: (phase: HttpPhase, peer: string) => void,
) => Promise<HttpAnswer>;

/** Posts a message once, within the time limit. @throws OwnTrouble */
export const postTo = async (
  settings: Settings,
  message: Message,
  context: WebhookContext & Pick<NetworkContext, 'signal'>,
  request: Exchange = httpRequest,
): Promise<Sent> => {
  const [problem] = Object.entries(validateSettings(settings, context));
  return problem ? unusable(problem) : post(message, readSettings(settings), context, request);
};

/** Settings that were valid when they were set up may be refused now. */
const unusable = ([field, sentences]: [string, string[]]): Sent =>
  failed('settings', `The webhook can't be used: ${field}: ${sentences.join(' ')}`, { permanent: true });

const failed = (reason: string, error_message: string, { permanent = false } = {}): Sent => ({
  status: 'failed',
  permanent,
  notBefore: null,
  reason,
  error_message,
  response_code: null,
});

const post = async (
  message: Message,
  settings: WebhookSettings,
  context: NetworkContext,
  request: Exchange,
): Promise<Sent> => {
  const { clock, signal } = context;
  const url = new URL(settings.url);
  const limit = new AbortController();
  const cancel = clock.after(TIME_LIMIT_MS, () => {
    limit.abort(TIME_IS_UP);
  });
  let waitedFor = '';
  let peer = '';
  try {
    const answer = await request(
      { url, ...requestOf(message, settings, clock.now()) },
      { ...context, signal: AbortSignal.any([signal, limit.signal]) },
      (phase, of) => {
        waitedFor = WAITED_FOR[phase];
        peer = of;
      },
    );
    return judgeAnswer(answer, peer, clock.now());
  } catch (error) {
    if (error === TIME_IS_UP) {
      return failed('timeout', `Timed out after ${(TIME_LIMIT_MS / 1_000).toString()} s ${waitedFor} ${peer}.`);
    }
    if (error instanceof NoHttpAnswer) return failed('protocol', error.message);
    const failure = whyNotConnected(error);
    if (!failure) throw error;
    return failed(failure.reason, failure.sentence, { permanent: failure.reason === 'target' });
  } finally {
    cancel();
  }
};

const WAITED_FOR: Record<HttpPhase, string> = {
  lookup: 'looking up',
  connect: 'connecting to',
  tls: 'during the TLS handshake with',
  answer: 'waiting for an answer from',
};

/** @param now milliseconds since 1970 */
const requestOf = (
  { id, event, data }: Message,
  { method = 'POST', headers = {}, secret, former_secret }: WebhookSettings,
  now: number,
) => {
  const body = JSON.stringify({ event, ...data });
  const keys = [secret, former_secret].map((each = '') => keyOf(each)).filter((key) => key !== null);
  return {
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
