import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { RESERVED, type Purpose } from '../domain/target/policy.ts';
import type { NetworkContext } from './context.ts';
import { LocalFailure } from './local-failure.ts';
import { connectToFirst } from './connect.ts';
import { isLocalFailure, peerOf } from './failure-sentences.ts';
import type { Address } from './resolve.ts';
import { secure } from './tls.ts';

/** The target policy refuses every address of a target. The error message is a sentence for users. */
export class TargetRefused extends Error {
  /** @param port null: no connection was intended */
  constructor(host: string, address: string, port: number | null, kind: string) {
    const at = kind === RESERVED && port !== null ? peerOf(address, port) : address;
    const target = host === address ? at : `${host} at ${at}`;
    super(`The target policy does not allow ${target} (${kind}).`);
    this.name = 'TargetRefused';
  }
}

/** The system found no address for the host. */
export class LookupFailed extends Error {
  readonly host: string;
  readonly code: string;

  /** @param code error code of the system, getaddrinfo or c-ares: `ENOTFOUND`, `EAI_AGAIN`, … */
  constructor(host: string, code: string, options?: ErrorOptions) {
    super(`Looking up ${host} failed.`, options);
    this.name = 'LookupFailed';
    this.host = host;
    this.code = code;
  }
}

export interface Target {
  /** a name or an address, without the brackets of a URL */
  host: string;
  port: number;
  /** purpose of the connection, which the policy evaluates; absent: any purpose */
  purpose?: Purpose;
  /** how to secure the connection; absent: without TLS */
  tls?: {
    /** ALPN protocols to offer; may be empty */
    alpn: readonly string[];
    /** the server name for SNI, which the certificate must match; default: `host` */
    serverName?: string;
  };
}

export interface ConnectionProgress {
  /**
   * Called at the start of each phase. `peer` is a host name in phase `lookup`, and then an address such as
   * `127.0.0.1:443`.
   */
  phaseBegins: (phase: 'lookup' | 'connect' | 'tls', peer: string) => void;
  /** Called when a connection to this address exists. TLS may follow. */
  connected: (address: string) => void;
}

export interface Connection {
  socket: Socket | TLSSocket;
  address: Address;
}

/**
 * Looks up a host and returns the addresses that the policy allows at a port, in the order in which to try them.
 *
 * Rejects with the reason of the context's signal when the signal aborts.
 *
 * @param port null: no connection is intended
 * @throws LookupFailed, TargetRefused, LocalFailure
 */
export const allowedAddresses = async (
  host: string,
  port: number | null,
  context: NetworkContext,
): Promise<[Address, ...Address[]]> => allowed({ host, port }, await lookUp(host, context), context);

/**
 * Connects again to a host whose addresses are known. Skips addresses that the policy no longer allows.
 *
 * Rejects with the reason of the context's signal when the signal aborts.
 *
 * @throws TargetRefused, ConnectFailed, LocalFailure
 */
export const reconnect = async (
  { host, addresses, port }: { host: string; addresses: readonly [Address, ...Address[]]; port: number },
  context: Pick<NetworkContext, 'clock' | 'policy' | 'signal'>,
): Promise<{ socket: Socket; address: Address }> =>
  connectToFirst(allowed({ host, port }, addresses, context), port, context);

/**
 * Opens a new connection: looks up the host, skips the addresses that the policy refuses, and connects to one of the
 * other addresses. Secures the connection if `tls` is set.
 *
 * Rejects with the reason of the context's signal when the signal aborts.
 *
 * @throws LookupFailed, TargetRefused, ConnectFailed, TlsFailed, LocalFailure
 */
export const openConnection = async (
  { host, port, tls, purpose }: Target,
  context: NetworkContext,
  progress: ConnectionProgress,
): Promise<Connection> => {
  const { signal } = context;
  progress.phaseBegins('lookup', host);
  const addresses = allowed({ host, port, purpose }, await lookUp(host, context), context);
  progress.phaseBegins('connect', peersOf(addresses, port));
  const { socket, address } = await connectToFirst(addresses, port, { clock: context.clock, signal });
  progress.connected(address.address);
  if (!tls) return { socket, address };
  const peer = peerOf(address.address, port);
  progress.phaseBegins('tls', peer);
  const { trust = [], ca } = context;
  const { alpn, serverName = host } = tls;
  const trusted = { trust, ...(ca !== undefined && { ca }) };
  const asked = { host: serverName, peer, ...trusted, alpn, signal, now: context.clock.now() };
  return { socket: await secure(socket, asked), address };
};

const peersOf = (addresses: readonly Address[], port: number): string =>
  addresses.map(({ address }) => peerOf(address, port)).join(' or ');

/** Looks up a host. If the signal aborts, the promise rejects at once, but the look-up continues. */
const lookUp = (host: string, { resolve: ask, signal }: NetworkContext): Promise<readonly [Address, ...Address[]]> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    ask(host)
      .then(
        (addresses) => {
          const [first, ...more] = addresses;
          if (first) resolve([first, ...more]);
          else reject(new LookupFailed(host, 'ENOTFOUND'));
        },
        (error: unknown) => {
          reject(lookupError(host, error));
        },
      )
      .finally(() => {
        signal.removeEventListener('abort', onAbort);
      });
  });

const lookupError = (host: string, error: unknown): LookupFailed | LocalFailure => {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  // An error without a system code is a bug in this program.
  return code === undefined || isLocalFailure(code) || !/^E[A-Z_]+$/.test(code) || code.startsWith('ERR_')
    ? new LocalFailure(`The runner can't look up ${host}.`, { cause: error })
    : new LookupFailed(host, code, { cause: error });
};

const allowed = (
  { host, port, purpose }: { host: string; port: number | null; purpose?: Purpose | undefined },
  addresses: readonly [Address, ...Address[]],
  { policy }: Pick<NetworkContext, 'policy'>,
): [Address, ...Address[]] => {
  const [good, ...more] = addresses.filter(({ address }) => policy.refusal(address, port, purpose) === null);
  if (good) return [good, ...more];
  const [{ address }] = addresses;
  throw new TargetRefused(host, address, port, policy.refusal(address, port, purpose) ?? '');
};
