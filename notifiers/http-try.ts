import type { NetworkContext } from '../network/context.ts';
import { httpRequest, type HttpAnswer, type HttpPhase, type HttpRequest } from '../network/http-request.ts';
import { NoHttpAnswer } from '../network/no-http-answer.ts';
import { whyNotConnected } from '../network/not-connected.ts';
import { judgeAnswer } from './http-answer.ts';
import type { Sent } from './notifier.ts';

/** How long a target has to answer, milliseconds (decisions.md: Subscribers). */
const TIME_LIMIT_MS = 10_000;
const TIME_IS_UP = new Error('The time of the request is up.');

/** Sends a request and waits for its answer, or for its head alone (network/http-request.ts). */
export type Exchange = (
  request: HttpRequest,
  context: NetworkContext,
  enter: (phase: HttpPhase, peer: string) => void,
) => Promise<HttpAnswer>;

/** A try that failed without an answer. */
export const failedTry = (reason: string, error_message: string, { permanent = false } = {}): Sent => ({
  status: 'failed',
  permanent,
  notBefore: null,
  reason,
  error_message,
  response_code: null,
});

/** Sends a message as one request, within the time limit. @throws OwnTrouble */
export const tryHttp = async (
  request: HttpRequest,
  context: NetworkContext,
  exchange: Exchange = httpRequest,
): Promise<Sent> => {
  const { clock, signal } = context;
  const limit = new AbortController();
  const cancel = clock.after(TIME_LIMIT_MS, () => {
    limit.abort(TIME_IS_UP);
  });
  let waitedFor = '';
  let peer = '';
  try {
    const answer = await exchange(
      request,
      { ...context, signal: AbortSignal.any([signal, limit.signal]) },
      (phase, of) => {
        waitedFor = WAITED_FOR[phase];
        peer = of;
      },
    );
    return judgeAnswer(answer, peer, clock.now());
  } catch (error) {
    if (error === TIME_IS_UP) {
      return failedTry('timeout', `Timed out after ${(TIME_LIMIT_MS / 1_000).toString()} s ${waitedFor} ${peer}.`);
    }
    if (error instanceof NoHttpAnswer) return failedTry('protocol', error.message);
    const failure = whyNotConnected(error);
    if (!failure) throw error;
    return failedTry(failure.reason, failure.sentence, { permanent: failure.reason === 'target' });
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
