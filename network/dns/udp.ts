import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isLocalConnectFailure } from '../connect.ts';
import { connectSentence, peerOf } from '../failure-sentences.ts';
import { LocalFailure } from '../local-failure.ts';
import type { Address } from '../resolve.ts';
import { NoDnsAnswer } from './no-answer.ts';
import type { ExchangeContext, RawDnsResponse } from './exchange.ts';
import { matchingHeader } from './match-response.ts';
import { encodeQuery, type EncodedQuestion } from './encode-query.ts';

/**
 * Sends a query in a datagram, from its own port and with a random id, and waits for the response. Ignores messages
 * from elsewhere, with another id or for another question: to forge a response, an attacker has to guess the port and
 * the id before the server answers.
 *
 * Rejects with the reason of the context's signal when that aborts.
 *
 * @throws NoDnsAnswer, LocalFailure
 */
export const overUdp = (
  question: EncodedQuestion,
  to: Address,
  port: number,
  edns: boolean,
  { clock, signal, watch }: ExchangeContext,
): Promise<RawDnsResponse> =>
  new Promise((resolve, reject) => {
    const peer = peerOf(to.address, port);
    const id = randomInt(0x1_0000);
    let others = 0;
    watch.timeoutSentence = () => `No answer from ${peer} over UDP${othersIn(others)}.`;

    const socket = createSocket({ type: to.family === 6 ? 'udp6' : 'udp4', lookup: asItIs(to) });
    const settle = (): void => {
      signal.removeEventListener('abort', onAbort);
      close(socket);
    };
    const onAbort = (): void => {
      settle();
      reject(signal.reason as Error);
    };
    socket.on('error', (error: NodeJS.ErrnoException) => {
      settle();
      reject(errorOf(error, to, port));
    });
    socket.on('message', (bytes) => {
      const head = matchingHeader(bytes, id, question);
      if (!head) {
        others += 1;
        return;
      }
      settle();
      resolve({ bytes, head, peer });
    });
    socket.once('connect', () => {
      watch.sentAt = clock.monotonic();
      socket.send(encodeQuery(question, id, edns));
    });
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    // From here the system drops messages from other addresses and ports, and reports closed ports.
    socket.connect(port, to.address);
  });

/** Skips address look-ups: the server's address and the wildcard address of the bind are both literals. */
const asItIs =
  ({ family }: Address) =>
  (address: string, _options: unknown, callback: (error: null, address: string, family: number) => void): void => {
    callback(null, address, family);
  };

const othersIn = (count: number): string => {
  if (count === 0) return '';
  return count === 1
    ? ': a message that came from there does not match the question'
    : `: ${count} messages that came from there do not match the question`;
};

/** The socket may already be closed. */
const close = (socket: Socket): void => {
  try {
    socket.close();
  } catch {
    // The socket was never open, or is closed.
  }
};

const errorOf = (error: NodeJS.ErrnoException, address: Address, port: number): NoDnsAnswer | LocalFailure => {
  const { code = '' } = error;
  // A system code. Anything else is a bug in this program.
  if (isLocalConnectFailure(code, address) || !/^E[A-Z]+$/.test(code))
    return new LocalFailure(`The runner can't send a question: ${code}.`, { cause: error });
  const sentence = connectSentence([{ address, code }], port).replace(/\.$/, ' over UDP.');
  return new NoDnsAnswer('connect', sentence, { cause: error });
};
