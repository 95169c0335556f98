import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Clock } from './clock.ts';
import { LocalFailure } from './local-failure.ts';
import { isLocalFailure, type FailedAttempt } from './failure-sentences.ts';
import type { Address } from './resolve.ts';

/** Milliseconds until the next address is tried in parallel (RFC 8305, 5). */
const HEAD_START_MS = 250;

/** Whether the machine has an IPv6 address that is reachable from outside. */
const hasIpv6 = (): boolean =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some((address) => address.family === 'IPv6' && !address.internal && address.scopeid === 0);

/** Whether an attempt failed because this machine lacks a resource, which says nothing about the target. */
export const isLocalConnectFailure = (code: string, { address, family }: Address): boolean =>
  // EADDRNOTAVAIL has two causes: no free port, or no IPv6 at all. No IPv6 counts like any network without a route.
  code === 'EADDRNOTAVAIL' ? family === 4 || address === '::1' || hasIpv6() : isLocalFailure(code);

/** Connecting failed at every address. */
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
  /** ends all attempts; the promise rejects with its reason */
  signal: AbortSignal;
}

/**
 * Connects to exactly these addresses, in this order. If an attempt takes long, the next starts in parallel ("happy
 * eyeballs", RFC 8305). The first connection wins; the others are closed.
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
      // Never removed: later errors belong to the socket's reader, and an unhandled one would end the process.
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
