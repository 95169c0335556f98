import type { TLSSocket } from 'node:tls';
import { peerOf } from '../failure-sentences.ts';
import { firstValue } from '../http/fields.ts';
import { httpExchange, type HttpRequest } from '../http-request.ts';
import { NoHttpResponse } from '../no-http-response.ts';
import { openConnection } from '../open-connection.ts';
import { NoDnsAnswer } from './no-answer.ts';
import type { NameServer } from './query-outcome.ts';
import type { ExchangeContext, RawDnsResponse } from './exchange.ts';
import { http2Exchange } from './http2.ts';
import { matchingHeader } from './match-response.ts';
import { timeoutSentenceFor } from './tcp-and-tls.ts';
import { encodeQuery, type EncodedQuestion } from './encode-query.ts';

const MEDIA_TYPE = 'application/dns-message';
/** Maximum size of a response body, in bytes: slightly more than the longest DNS message. */
const MOST = 64 * 1_024;

/**
 * Sends a query over HTTPS (RFC 8484) on a new connection, with HTTP/2 if the server supports it. Verifies the server's
 * certificate. Does not follow redirects.
 *
 * Rejects with the reason of the context's signal when the signal aborts.
 *
 * @throws NoDnsAnswer, LookupFailed, TargetRefused, ConnectFailed, TlsFailed, LocalFailure
 */
export const overHttps = async (
  question: EncodedQuestion,
  { text, host, port }: NameServer,
  edns: boolean,
  context: ExchangeContext,
): Promise<RawDnsResponse> => {
  const { watch, signal } = context;
  const target = { host, port, tls: { alpn: ['h2', 'http/1.1'] } };
  const { socket, address } = await openConnection(target, context, {
    phaseBegins: (phase, peer) => {
      watch.timeoutSentence = timeoutSentenceFor(phase, peer);
    },
    connected: () => undefined,
  });
  const peer = peerOf(address.address, port);
  watch.timeoutSentence = () => `No answer from ${peer} over HTTPS.`;
  watch.sentAt = context.clock.monotonic();
  // The id is always 0, so that equal queries have equal bytes and HTTP caches can reuse the response (RFC 8484, 4.1).
  const message = encodeQuery(question, 0, edns);
  const request: HttpRequest = {
    url: new URL(text),
    method: 'POST',
    headers: { accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE, 'content-length': message.length.toString() },
    body: message,
  };
  const exchange = (socket as TLSSocket).alpnProtocol === 'h2' ? http2Exchange : httpExchange;
  const { status, headers, body } = await exchange(request, socket, peer, MOST, signal).catch((error: unknown) => {
    throw error instanceof NoHttpResponse ? protocol(error.message) : error;
  });
  if (status !== 200) throw protocol(`${peer} answered with HTTP status ${status} instead of a DNS message.`);
  if (!isMessage(firstValue(headers, 'content-type')))
    throw protocol(`The answer of ${peer} over HTTPS is not a DNS message (its content type is not ${MEDIA_TYPE}).`);
  const head = matchingHeader(body, 0, question);
  if (!head) throw protocol(`What ${peer} sent over HTTPS does not match the question.`);
  return { bytes: body, head, peer };
};

const protocol = (sentence: string): NoDnsAnswer => new NoDnsAnswer('protocol', sentence);

const isMessage = (contentType: string | undefined): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === MEDIA_TYPE;
