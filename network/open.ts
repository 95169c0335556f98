import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { RESERVED, type Purpose } from '../domain/target/policy.ts';
import type { NetworkContext } from './context.ts';
import { OwnTrouble } from './own-trouble.ts';
import { connectToFirst } from './connect.ts';
import { isOwnTrouble, peerOf } from './failures.ts';
import type { Address } from './resolve.ts';
import { secure } from './tls.ts';

/** The target policy refuses every address of a target; the message is a sentence. */
export class TargetRefused extends Error {
  /** @param port null: none is connected to */
  constructor(host: string, address: string, port: number | null, kind: string) {
    const at = kind === RESERVED && port !== null ? peerOf(address, port) : address;
    const target = host === address ? at : `${host} at ${at}`;
    super(`The target policy does not allow ${target} (${kind}).`);
    this.name = 'TargetRefused';
  }
}

/** The system has no address for the host. */
export class LookupFailed extends Error {
  readonly host: string;
  readonly code: string;

  /** @param code from the system, getaddrinfo or c-ares: `ENOTFOUND`, `EAI_AGAIN`, … */
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
  /** what the connection is for; anything if absent */
  purpose?: Purpose;
  /** how the connection is secured; plain if absent */
  tls?: {
    /** the protocols offered; none if empty */
    alpn: readonly string[];
    /** the server name that is sent and that the certificate must be for; `host` if absent */
    serverName?: string;
  };
}

export interface Progress {
  /** a step begins; `peer` is what it is about: a host name, then `127.0.0.1:443` */
  enter: (phase: 'lookup' | 'connect' | 'tls', peer: string) => void;
  /** there is a connection to this address, which may still have to be secured */
  connected: (address: string) => void;
}

export interface Connection {
  socket: Socket | TLSSocket;
  address: Address;
}

/**
 * The addresses of a host that the policy allows at a port, in the order in which to try them.
 *
 * @param port null: none will be connected to
 *
 * When the context's signal ends it, it rejects with the signal's reason.
 *
 * @throws LookupFailed, TargetRefused, OwnTrouble
 */
export const addressesOf = async (
  host: string,
  port: number | null,
  context: NetworkContext,
): Promise<[Address, ...Address[]]> => allowed({ host, port }, await lookUp(host, context), context);

/**
 * Connects once more to a host whose addresses are known, as far as the policy still allows them.
 *
 * When the context's signal ends it, it rejects with the signal's reason.
 *
 * @throws TargetRefused, ConnectFailed, OwnTrouble
 */
export const connectAgain = async (
  { host, addresses, port }: { host: string; addresses: readonly [Address, ...Address[]]; port: number },
  context: Pick<NetworkContext, 'clock' | 'policy' | 'signal'>,
): Promise<{ socket: Socket; address: Address }> =>
  connectToFirst(allowed({ host, port }, addresses, context), port, context);

/**
 * Opens one fresh connection: looks up the host, keeps the addresses that the policy allows, connects
 * to exactly one of those, and secures the connection if requested.
 *
 * When the context's signal ends it, it rejects with the signal's reason.
 *
 * @throws LookupFailed, TargetRefused, ConnectFailed, TlsFailed, OwnTrouble
 */
export const openConnection = async (
  { host, port, tls, purpose }: Target,
  context: NetworkContext,
  progress: Progress,
): Promise<Connection> => {
  const { signal } = context;
  progress.enter('lookup', host);
  const addresses = allowed({ host, port, purpose }, await lookUp(host, context), context);
  progress.enter('connect', peersOf(addresses, port));
  const { socket, address } = await connectToFirst(addresses, port, { clock: context.clock, signal });
  progress.connected(address.address);
  if (!tls) return { socket, address };
  const peer = peerOf(address.address, port);
  progress.enter('tls', peer);
  const { trust = [], ca } = context;
  const { alpn, serverName = host } = tls;
  const trusted = { trust, ...(ca !== undefined && { ca }) };
  const asked = { host: serverName, peer, ...trusted, alpn, signal, now: context.clock.now() };
  return { socket: await secure(socket, asked), address };
};

const peersOf = (addresses: readonly Address[], port: number): string =>
  addresses.map(({ address }) => peerOf(address, port)).join(' or ');

/** A look-up can't be cancelled, but nobody has to wait for it. */
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

const lookupError = (host: string, error: unknown): LookupFailed | OwnTrouble => {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  // An error without a system code is a bug in the program.
  return code === undefined || isOwnTrouble(code) || !/^E[A-Z_]+$/.test(code) || code.startsWith('ERR_')
    ? new OwnTrouble(`The runner can't look up ${host}.`, { cause: error })
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
