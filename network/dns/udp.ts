import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isTroubleHere } from '../connect.ts';
import { connectSentence, peerOf } from '../failures.ts';
import { OwnTrouble } from '../own-trouble.ts';
import type { Address } from '../resolve.ts';
import { NoDnsAnswer } from './no-answer.ts';
import type { ExchangeContext, RawAnswer } from './exchange.ts';
import { matchingHead } from './matching.ts';
import { questionMessage, type WrittenQuestion } from './write-question.ts';

/**
 * Sends a question in a datagram of its own, from a port of its own and under a random id, and waits for its answer.
 * Messages from elsewhere, with another id or to another question are ignored: to forge an answer, an attacker has to
 * guess the port and the id before the server answers.
 *
 * When the context's signal ends it, it rejects with the signal's reason.
 *
 * @throws NoDnsAnswer, OwnTrouble
 */
export const overUdp = (
  question: WrittenQuestion,
  to: Address,
  port: number,
  edns: boolean,
  { clock, signal, watch }: ExchangeContext,
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const peer = peerOf(to.address, port);
    const id = randomInt(0x1_0000);
    let others = 0;
    watch.silence = () => `No answer from ${peer} over UDP${othersIn(others)}.`;

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
      const head = matchingHead(bytes, id, question);
      if (!head) {
        others += 1;
        return;
      }
      settle();
      resolve({ bytes, head, peer });
    });
    socket.once('connect', () => {
      watch.sentAt = clock.monotonic();
      socket.send(questionMessage(question, id, edns));
    });
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    // From now on the system drops messages from other addresses or ports, and reports closed ports.
    socket.connect(port, to.address);
  });

/** Addresses are not looked up: the server's, and the one that any address of this machine is bound by before. */
const asItIs =
  ({ family }: Address) =>
  (address: string, _options: unknown, callback: (error: null, address: string, family: number) => void): void => {
    callback(null, address, family);
  };

const othersIn = (count: number): string => {
  if (count === 0) return '';
  return count === 1
    ? ': a message that came from there does not match the question'
    : `: ${count.toString()} messages that came from there do not match the question`;
};

/** It may be closed already. */
const close = (socket: Socket): void => {
  try {
    socket.close();
  } catch {
    // It was never open, or is closed.
  }
};

const errorOf = (error: NodeJS.ErrnoException, address: Address, port: number): NoDnsAnswer | OwnTrouble => {
  const { code = '' } = error;
  // A code of the system; anything else is a bug in the program.
  if (isTroubleHere(code, address) || !/^E[A-Z]+$/.test(code))
    return new OwnTrouble(`The runner can't send a question: ${code}.`, { cause: error });
  const sentence = connectSentence([{ address, code }], port).replace(/\.$/, ' over UDP.');
  return new NoDnsAnswer('connect', sentence, { cause: error });
};
