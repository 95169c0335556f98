import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { startTlsOf, type StartTls } from '../../domain/check/types/starttls.ts';
import { ConnectFailed } from '../../network/connect.ts';
import type { NetworkContext } from '../../network/context.ts';
import { peerOf } from '../../network/failure-sentences.ts';
import type { Address } from '../../network/resolve.ts';
import { allowedAddresses, reconnect } from '../../network/open-connection.ts';
import { semaphoreNamed } from '../engine/semaphore.ts';
import { pause } from '../engine/pause.ts';
import { startTls, StartTlsFailed } from './starttls.ts';
import { createWire, type Wire } from './wire/wire.ts';

/** The server to check. */
export interface TlsTarget {
  /** the host in the check's definition */
  host: string;
  /** addresses that the policy allows, in the order in which they are tried */
  addresses: readonly [Address, ...Address[]];
  port: number;
  /** the name to send as SNI; null if the host is an address */
  serverName: string | null;
  starttls: StartTls;
}

/**
 * Opens concurrent connections to one target. If the target refuses some of them, opens connections one at a time, with
 * pauses.
 */
export interface Dialer {
  readonly target: TlsTarget;
  /** all addresses of the target, with the port; identifies the target */
  readonly peers: string;
  /**
   * Opens a connection that is ready for TLS. All connections lead to the address that the first connection reached.
   * The caller must close or release each connection before it requests another, because the next connection may have
   * to wait until others are closed.
   *
   * @throws ConnectFailed, StartTlsFailed, LocalFailure, the signal's reason
   */
  dial: () => Promise<Wire>;
  /** Allows only one connection at a time from now on. */
  goAlone: () => void;
  /** number of connections that were attempted so far */
  readonly dialed: number;
  /** the address of all connections; null before the first is established */
  readonly address: Address | null;
}

/** Maximum number of concurrent connections to a target. */
const SIDE_BY_SIDE = 6;
/** Pauses before a refused connection is retried, in milliseconds. */
const PAUSES: readonly number[] = [100, 300, 1_000, 2_000];
/** How long a target that has accepted connections may take to accept the next connection, in milliseconds. */
const CONNECT_PATIENCE_MS = 5_000;

const isRefusal = (error: unknown): boolean =>
  error instanceof ConnectFailed || (error instanceof StartTlsFailed && error.busy);

/** The abort reason of a connection that is not accepted in time. */
const NOT_ACCEPTED = new Error('The connection is not accepted.');

/** Resolves the host of a check under the target policy. @throws LookupFailed, TargetRefused, LocalFailure */
export const targetOf = async (
  asked: { host: string; port: number; starttls?: StartTls | undefined },
  context: NetworkContext,
): Promise<TlsTarget> => {
  const { host, port, starttls = startTlsOf(port) } = asked;
  return {
    host,
    port,
    starttls,
    addresses: await allowedAddresses(host, port, context),
    serverName: isIP(host) === 0 ? domainToASCII(host).replace(/\.$/, '') || host : null,
  };
};

export const createDialer = (target: TlsTarget, context: NetworkContext): Dialer => {
  const { clock, signal } = context;
  const { host, port, starttls } = target;
  const peers = target.addresses.map(({ address }) => peerOf(address, port)).join();
  const gate = semaphoreNamed(`connections to ${peers}`);
  let most = SIDE_BY_SIDE;
  let address: Address | null = null;
  let first: Promise<Wire> | null = null;
  let dialed = 0;

  /** Connects, with a time limit if the target has accepted a connection before. */
  const connected = async (): Promise<{ wire: Wire; at: Address }> => {
    const impatience = new AbortController();
    const cancelTimer = address
      ? clock.after(CONNECT_PATIENCE_MS, () => {
          impatience.abort(NOT_ACCEPTED);
        })
      : () => undefined;
    try {
      dialed++;
      const { socket, address: at } = await reconnect(
        { host, port, addresses: address ? [address] : target.addresses },
        { ...context, signal: AbortSignal.any([signal, impatience.signal]) },
      );
      return { wire: createWire(socket, { peer: peerOf(at.address, port), clock, signal, onEnd: gate.release }), at };
    } catch (error) {
      if (error !== NOT_ACCEPTED || !address) throw error;
      throw new ConnectFailed([{ address, code: 'ETIMEDOUT' }], port);
    } finally {
      cancelTimer();
    }
  };

  const attempt = async (): Promise<Wire> => {
    await gate.acquire(most, signal);
    let wire: Wire | null = null;
    try {
      const opened = await connected();
      ({ wire } = opened);
      await startTls(wire, starttls, host);
      address = opened.at;
      return wire;
    } catch (error) {
      // Closing a connection releases the semaphore.
      if (wire) wire.close();
      else gate.release();
      throw error;
    }
  };

  const dial = async (): Promise<Wire> => {
    for (const milliseconds of PAUSES) {
      try {
        return await attempt();
      } catch (error) {
        if (address === null || !isRefusal(error)) throw error;
        most = 1;
        await pause(clock, milliseconds, signal);
      }
    }
    return attempt();
  };

  return {
    target,
    peers,
    dial: async () => {
      if (!first) {
        first = dial();
        return first;
      }
      // The first call determines the address, so later calls wait for the first call. If the first call fails, the
      // later calls fail too.
      if (address === null) await first;
      return dial();
    },
    goAlone: () => {
      most = 1;
    },
    get dialed() {
      return dialed;
    },
    get address() {
      return address;
    },
  };
};
