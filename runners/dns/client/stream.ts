import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { peerOf } from '../../../network/failures.ts';
import { openConnection, type Target } from '../../../network/open.ts';
import { brokenConnection } from '../../probe/broken-connection.ts';
import { ProbeFailure } from '../../probe/failure.ts';
import type { ExchangeContext, RawAnswer } from './exchange.ts';
import { matchingHead } from './matching.ts';
import { questionMessage, type WrittenQuestion } from './write-question.ts';

/**
 * Asks over a fresh connection: TCP (RFC 7766), or TLS with the server's certificate verified (RFC 7858).
 *
 * When the context's signal ends it, it rejects with the signal's reason.
 *
 * @throws ProbeFailure, LookupFailed, TargetRefused, ConnectFailed, TlsFailed, OwnTrouble
 */
export const overStream = async (
  question: WrittenQuestion,
  target: Target,
  edns: boolean,
  context: ExchangeContext,
): Promise<RawAnswer> => {
  const { watch } = context;
  const over = target.tls ? 'TLS' : 'TCP';
  const { socket, address } = await openConnection(target, context, {
    enter: (phase, peer) => {
      watch.silence = silenceWhile(phase, peer);
    },
    connected: () => undefined,
  });
  const peer = peerOf(address.address, target.port);
  watch.silence = () => `No answer from ${peer} over ${over}.`;
  watch.sentAt = context.clock.monotonic();
  const id = randomInt(0x1_0000);
  const bytes = await converse(socket, framed(questionMessage(question, id, edns)), peer, context.signal);
  const head = matchingHead(bytes, id, question);
  if (!head) throw new ProbeFailure('down', 'protocol', `What ${peer} sent over ${over} does not match the question.`);
  return { bytes, head, peer };
};

/** What is said of a server that is silent while it is connected to. */
export const silenceWhile = (phase: keyof typeof WAITED, peer: string) => (): string => `${WAITED[phase]} ${peer}.`;

const WAITED = {
  lookup: 'The name servers gave no answer for',
  connect: 'No answer from',
  tls: 'No answer to the TLS handshake from',
} as const;

/** Messages on a stream begin with their length (RFC 1035, 4.2.2). */
const framed = (message: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
};

/** Sends a message and reads one. The connection is closed in every case. */
const converse = (socket: Socket, message: Buffer, peer: string, signal: AbortSignal): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let received = 0;
    let expected: number | null = null;
    let settled = false;
    const settle = (): boolean => {
      if (settled) return false;
      settled = true;
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      return true;
    };
    const onAbort = (): void => {
      if (settle()) reject(signal.reason as Error);
    };
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (settle()) reject(brokenConnection(error, peer, 'before it answered'));
    });
    socket.once('close', () => {
      if (!settle()) return;
      const when = received === 0 ? 'before it answered' : 'in the middle of its answer';
      reject(new ProbeFailure('down', 'protocol', `${peer} closed the connection ${when}.`));
    });
    socket.on('data', (piece: Buffer) => {
      if (settled) return;
      pieces.push(piece);
      received += piece.length;
      if (expected === null && received >= 2) expected = 2 + Buffer.concat(pieces).readUInt16BE();
      if (expected !== null && received >= expected && settle()) resolve(Buffer.concat(pieces).subarray(2, expected));
    });
    socket.once('end', () => {
      socket.destroy();
    });
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    if (socket.destroyed) {
      socket.emit('close');
      return;
    }
    socket.write(message);
  });
