import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from './clock.ts';
import { LocalFailure } from './local-failure.ts';
import { isLocalFailure, type FailedAttempt } from './failure-sentences.ts';
import type { Address } from './resolve.ts';

/** Milliseconds after which the next address is tried in parallel to a slow one (RFC 8305, 5). */
const HEAD_START_MS = 250;

/** Returns whether this machine has an IPv6 address beyond loopback and link-local addresses. */
const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((address) => address.family === 'IPv6' && !address.internal && address.scopeid === 0);

/**
 * Returns whether an attempt failed because this machine lacks a resource. Such a failure says nothing about the
 * target.
 */
export const isLocalConnectFailure = (code: string, { address, family }: Address): boolean =>
  // EADDRNOTAVAIL has two causes: there is no free port, or the machine has no IPv6. Only the missing port is a local
  // failure. Missing IPv6 is reported as "no route", like any other unreachable network.
  code === 'EADDRNOTAVAIL' ? family === 4 || address === '::1' || hasIpv6() : isLocalFailure(code);

/** No address accepted a connection. */
export class ConnectFailed extends Error {
  readonly attempts: readonly FailedAttempt[];
  readonly port: number;

  constructor(attempts: readonly FailedAttempt[], port: number) {
    super(`Connecting failed: ${attempts.map(({ code }) => code).join(', ')}`);
    this.name = 'ConnectFailed';
    this.attempts = attempts;
    this.port = port;
  }
}

export interface ConnectOptions {
  clock: Pick<Clock, 'after'>;
  /** aborts all attempts; the promise then rejects with the signal's reason */
  signal: AbortSignal;
}

/**
 * Connects to one of the given addresses, which are tried in this order. If an attempt takes long, the next attempt
 * starts in parallel ("happy eyeballs", RFC 8305). The first connection that succeeds is returned, and the other
 * attempts are aborted.
 *
 * @param addresses at least one
 * @throws ConnectFailed
 * @throws LocalFailure the machine has run out of sockets, ports or memory
 */
export const connectToFirst = (
  addresses: readonly Address[],
  port: number,
  { clock, signal }: ConnectOptions,
): Promise<{ socket: Socket; address: Address }> =>
  new Promise((resolve, reject) => {
    const waiting = [...addresses];
    const open = new Set<Socket>();
    const failed: FailedAttempt[] = [];
    let cancelTimer = (): void => undefined;
    let settled = false;

    const settle = (): void => {
      settled = true;
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      for (const socket of open) socket.destroy();
      open.clear();
    };
    const fail = (error: Error): void => {
      if (settled) return;
      settle();
      reject(error);
    };
    const onAbort = (): void => {
      fail(signal.reason as Error);
    };

    const attemptNext = (): void => {
      cancelTimer();
      const address = waiting.shift();
      if (!address) return;
      const socket = connect({ host: address.address, port, family: address.family, noDelay: true });
      open.add(socket);
      if (waiting.length > 0) cancelTimer = clock.after(HEAD_START_MS, attemptNext);
      socket.once('connect', () => {
        if (settled) return;
        open.delete(socket);
        settle();
        resolve({ socket, address });
      });
      // This listener stays on the socket. The code that reads from the socket handles later errors itself, but an
      // error without any listener would end the process.
      socket.on('error', (error: NodeJS.ErrnoException) => {
        open.delete(socket);
        if (settled) return;
        const code = error.code ?? error.message;
        if (isLocalConnectFailure(code, address)) {
          fail(new LocalFailure(`The runner can't open a connection: ${code}.`, { cause: error }));
          return;
        }
        failed.push({ address, code });
        if (waiting.length > 0) attemptNext();
        else if (open.size === 0) fail(new ConnectFailed(failed, port));
      });
    };

    if (signal.aborted) {
      fail(signal.reason as Error);
      return;
    }
    signal.addEventListener('abort', onAbort);
    attemptNext();
  });
