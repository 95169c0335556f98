import { randomInt } from 'node:crypto';
import { explainBrokenConnection } from '../broken-connection.ts';
import { peerOf } from '../failure-sentences.ts';
import { openConnection, type Target } from '../open-connection.ts';
import { LocalFailure } from '../local-failure.ts';
import { sendAndReceive } from '../send-and-receive.ts';
import type { ExchangeContext, RawDnsResponse } from './exchange.ts';
import { matchingHeader } from './match-response.ts';
import { NoDnsAnswer } from './no-answer.ts';
import { encodeQuery, type EncodedQuestion } from './encode-query.ts';

/**
 * Sends a query over a new connection, which uses either TCP (RFC 7766) or TLS (RFC 7858). Over TLS, verifies the
 * server's certificate.
 *
 * Rejects with the reason of the context's signal when the signal aborts.
 *
 * @throws NoDnsAnswer, LookupFailed, TargetRefused, ConnectFailed, TlsFailed, LocalFailure
 */
export const overStream = async (
  question: EncodedQuestion,
  target: Target,
  edns: boolean,
  context: ExchangeContext,
): Promise<RawDnsResponse> => {
  const { watch } = context;
  const over = target.tls ? 'TLS' : 'TCP';
  const { socket, address } = await openConnection(target, context, {
    phaseBegins: (phase, peer) => {
      watch.timeoutSentence = timeoutSentenceFor(phase, peer);
    },
    connected: () => undefined,
  });
  const peer = peerOf(address.address, target.port);
  watch.timeoutSentence = () => `No answer from ${peer} over ${over}.`;
  watch.sentAt = context.clock.monotonic();
  const id = randomInt(0x1_0000);
  const message = framed(encodeQuery(question, id, edns));
  const bytes = (await sendAndReceive(socket, message, context.signal, oneMessage(peer))).subarray(2);
  const head = matchingHeader(bytes, id, question);
  if (!head) throw new NoDnsAnswer('protocol', `What ${peer} sent over ${over} does not match the question.`);
  return { bytes, head, peer };
};

/** Returns the error message for a timeout in the given phase of the connection. */
export const timeoutSentenceFor = (phase: keyof typeof WAITED, peer: string) => (): string =>
  `${WAITED[phase]} ${peer}.`;

const WAITED = {
  lookup: 'The name servers gave no answer for',
  connect: 'No answer from',
  tls: 'No answer to the TLS handshake from',
} as const;

/** Prefixes a message with its length, as DNS over TCP and TLS requires (RFC 1035, 4.2.2). */
const framed = (message: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
};

/** Returns the callbacks with which {@link sendAndReceive} reads one message with a length prefix. */
const oneMessage = (peer: string) => ({
  endOf: (received: readonly Buffer[], bytes: number): number | null =>
    bytes < 2 ? null : 2 + Buffer.concat(received.slice(0, 2)).readUInt16BE(),
  closed: ({ length }: Buffer): Error => {
    const when = length === 0 ? BEFORE : 'in the middle of its answer';
    return new NoDnsAnswer('protocol', `${peer} closed the connection ${when}.`);
  },
  broken: (error: NodeJS.ErrnoException): Error => {
    const why = explainBrokenConnection(error, peer, BEFORE);
    return why instanceof LocalFailure ? why : new NoDnsAnswer(why.reason, why.sentence, { cause: error });
  },
});

const BEFORE = 'before it answered';
