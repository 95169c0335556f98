import { ConnectFailed } from '../network/connect.ts';
import type { NetworkContext } from '../network/context.ts';
import { httpRequest, type HttpResponse, type HttpPhase, type HttpRequest } from '../network/http-request.ts';
import { NoHttpResponse } from '../network/no-http-response.ts';
import { explainConnectFailure, type NotConnected } from '../network/not-connected.ts';
import { LookupFailed } from '../network/open-connection.ts';
import { outcomeOfResponse } from './http-outcome.ts';
import type { SendOutcome } from './notifier.ts';
import { failedAttempt } from './send-outcomes.ts';

/** Time limit of a request, in milliseconds (docs/reference/deliveries.md#webhooks). */
const TIME_LIMIT_MS = 10_000;
const TIME_IS_UP = new Error('The time of the request is up.');

/** A function that sends a request and waits for the whole response or only for its head (network/http-request.ts). */
export type SendRequest = (
  request: HttpRequest,
  context: NetworkContext,
  enter: (phase: HttpPhase, peer: string) => void,
) => Promise<HttpResponse>;

/**
 * Sends a message in one HTTP request, within the time limit. The sentences about failures contain neither host nor
 * address. Such sentences are stored for months and shown to many people, but only the receiver or the operator may
 * know the host.
 *
 * @param who name of the target in sentences: `the webhook`
 * @throws LocalFailure
 */
export const attemptHttp = async (
  request: HttpRequest,
  context: NetworkContext,
  who: string,
  exchange: SendRequest = httpRequest,
): Promise<SendOutcome> => {
  const { clock, signal } = context;
  const limit = new AbortController();
  const cancel = clock.after(TIME_LIMIT_MS, () => {
    limit.abort(TIME_IS_UP);
  });
  let phase: HttpPhase = 'lookup';
  try {
    const answer = await exchange(
      request,
      { ...context, signal: AbortSignal.any([signal, limit.signal]) },
      (entered) => {
        phase = entered;
      },
    );
    return outcomeOfResponse(answer, who, clock.now());
  } catch (error) {
    if (error === TIME_IS_UP) {
      return failedAttempt('timeout', `Timed out after ${TIME_LIMIT_MS / 1_000} s ${WAITED_FOR[phase]} ${who}.`);
    }
    if (error instanceof NoHttpResponse)
      return failedAttempt('protocol', `There was no valid HTTP answer from ${who}.`);
    const failure = explainConnectFailure(error);
    if (!failure) throw error;
    const { reason } = failure;
    return failedAttempt(reason, `${NOT_CONNECTED[reason]} ${who}${codeIn(error)}.`, {
      permanent: reason === 'target',
    });
  } finally {
    cancel();
  }
};

const WAITED_FOR: Record<HttpPhase, string> = {
  lookup: 'looking up the host name of',
  connect: 'connecting to',
  tls: 'during the TLS handshake with',
  answer: 'waiting for an answer from',
};

const NOT_CONNECTED: Record<NotConnected['reason'], string> = {
  lookup: 'Looking up the host name failed for',
  target: 'The policy does not allow the address of',
  connect: 'Connecting failed to',
  tls: 'TLS failed with',
};

/** Returns the error code of the system or of OpenSSL, for a sentence: ` (ECONNREFUSED)`. */
const codeIn = (error: unknown): string => {
  const code =
    error instanceof LookupFailed
      ? error.code
      : error instanceof ConnectFailed
        ? error.attempts[0]?.code
        : ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;
  return code === undefined ? '' : ` (${code})`;
};
