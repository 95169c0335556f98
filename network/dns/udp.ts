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
 * Sends a query in a datagram and waits for the response. Each query uses a port of its own and a random id. Messages
 * from another address, with another id or for another question are ignored. So an attacker who forges a response has
 * to guess the port and the id before the server responds.
 *
 * Rejects with the reason of the context's signal when the signal aborts.
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
    // After this call, the system drops messages from other addresses and ports, and reports closed ports.
    socket.connect(port, to.address);
  });

/**
 * Returns the address unchanged instead of looking it up. The socket uses only literal addresses: the server's address,
 * and the wildcard address to which the socket is bound.
 */
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

/** Closes a socket that may already be closed. */
const close = (socket: Socket): void => {
  try {
    socket.close();
  } catch {
    // The socket was never open or is already closed.
  }
};

const errorOf = (error: NodeJS.ErrnoException, address: Address, port: number): NoDnsAnswer | LocalFailure => {
  const { code = '' } = error;
  // System errors have a code such as `ENETDOWN`. An error without such a code is a bug in this program.
  if (isLocalConnectFailure(code, address) || !/^E[A-Z]+$/.test(code))
    return new LocalFailure(`The runner can't send a question: ${code}.`, { cause: error });
  const sentence = connectSentence([{ address, code }], port).replace(/\.$/, ' over UDP.');
  return new NoDnsAnswer('connect', sentence, { cause: error });
};
