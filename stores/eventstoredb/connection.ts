import {
  convertToCommandError,
  DeadlineExceededError,
  EventStoreDBClient,
  UnavailableError,
  type Credentials,
} from '@eventstore/db-client';
import type { CallOptions, Channel, Client as GrpcClient, Metadata } from '@grpc/grpc-js';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { ConnectionTrouble, type Endpoint } from '../connection-diagnosis.ts';
import { StoreUnavailable } from '../event-store/port.ts';
import { parseConnectionString } from './connection-string.ts';
import { diagnose } from './diagnosis.ts';
import {
  isDenied,
  isWithoutResponse,
  isUnauthenticated,
  isUndiscovered,
  messageOf,
  NoResponse,
  UnreadableEvent,
  withTimeout,
} from './failures.ts';
import { RightMissing, type Right } from './rights.ts';
import { omitAddressesFromSni } from './server-name.ts';
import { UNWATCHED, type ConnectionWatch } from '../connection-watch.ts';

/** How a call is made; `leader` is for calls that need the newest state. */
export interface CallSettings {
  credentials?: Credentials;
  requiresLeader?: boolean;
  /** milliseconds */
  deadline?: number;
}

type GrpcClientConstructor<Client> = new (...input: never[]) => Client;

/**
 * The client's private functions. An append must not share a stream with other callers, and reads of the global order
 * must be filtered; the public functions of 6.2.1 do neither. The version is pinned.
 */
export interface ClientInternals {
  execute: <Client extends GrpcClient, T>(
    client: GrpcClientConstructor<Client>,
    name: string,
    action: (client: Client) => Promise<T>,
  ) => Promise<T>;
  GRPCStreamCreator: <Client extends GrpcClient, Stream extends Readable>(
    client: GrpcClientConstructor<Client>,
    name: string,
    create: (client: Client) => Stream,
  ) => () => Promise<Stream>;
  callArguments: (settings: CallSettings, options?: CallOptions) => [Metadata, CallOptions];
  getChannel: () => Promise<Channel>;
  /** The target of the next channel, `host:port`; a cluster is discovered first. */
  resolveUri: () => Promise<string>;
}

/** A connection to EventStoreDB, shared by everything that the process has open there. */
export interface Connection {
  /** the current client; it is replaced when the connection is lost, so read it for each call */
  readonly client: EventStoreDBClient;
  readonly internals: ClientInternals;
  /** for each call; absent when the connection string names no user */
  readonly credentials: { credentials?: Credentials };
  /** Call after a call received a response. */
  responded: () => void;
  /**
   * Call with what a call threw, so that a lost connection is replaced soon.
   *
   * @param right the right that the call needed
   * @returns the error of the port
   */
  failed: (error: unknown, right: Right) => StoreUnavailable | UnreadableEvent;
  /** Call with a failure that is not reported elsewhere, so that operators learn of refusals. */
  reportFailure: (failure: unknown) => void;
  /** Another connection to the same server, so that the server can distinguish their calls. */
  openAnother: (connectionName: string) => Connection;
  close: () => Promise<void>;
}

export interface ConnectOptions {
  connectionName?: string;
  watch?: ConnectionWatch | undefined;
  /** resolves host names when the cause of a trouble is diagnosed */
  lookup?: LookupFunction | undefined;
}

/** Milliseconds between two replacements of a lost connection. */
const RENEWAL_PAUSE = 1_000;
/** The same for an unresponsive one: it stays open until gRPC has noticed, and may only have been slow. */
const SILENCE_PAUSE = 15_000;
const RENEWALS = 1_000;
/** Milliseconds for pending calls to notice that they were cancelled. */
const CLOSING = 1_000;

/**
 * Connects on first use; sends no request yet.
 *
 * @throws BadConnectionString
 */
export const connect = (connectionString: string, options: ConnectOptions = {}): Connection => {
  const { connectionName, watch = UNWATCHED, lookup } = options;
  const parsed = parseConnectionString(connectionString);
  const { url, credentials, keepAliveInterval, discover, tls } = parsed;
  if (tls) omitAddressesFromSni();
  let node: Endpoint | null = null;
  let renewals = 0;
  let renewedAt = -Infinity;

  /*
   * gRPC waits longer and longer, up to two minutes, before it reconnects to an address, and clients of the process
   * with equal settings share that backoff. So a renewed client uses a ping interval that is a millisecond longer: gRPC
   * takes it for another address, and connects immediately.
   */
  const create = (): EventStoreDBClient => {
    const settings = [
      `keepAliveInterval=${keepAliveInterval + (renewals % RENEWALS)}`,
      ...(connectionName === undefined ? [] : [`connectionName=${encodeURIComponent(connectionName)}`]),
    ];
    const made = EventStoreDBClient.connectionString(`${url}${url.includes('?') ? '&' : '?'}${settings.join('&')}`);
    const inside = made as unknown as ClientInternals;
    const resolve = inside.resolveUri;
    inside.resolveUri = async () => {
      node = null;
      const uri = await resolve();
      const [host = '', port] = uri.split(':');
      node = { host, port: Number(port) };
      return uri;
    };
    return made;
  };

  const explained = (error: unknown): StoreUnavailable => {
    const trouble = new ConnectionTrouble(error, () =>
      diagnose(parsed, { node, undiscovered: isUndiscovered(error) }, lookup),
    );
    return new StoreUnavailable(messageOf(error), { cause: trouble });
  };

  const renew = (error: unknown): void => {
    const lost = error instanceof UnavailableError;
    const silent = error instanceof NoResponse || error instanceof DeadlineExceededError;
    if (!lost && !silent) return;
    if (performance.now() - renewedAt < (lost ? RENEWAL_PAUSE : SILENCE_PAUSE)) return;
    renewedAt = performance.now();
    renewals++;
    client = create();
  };

  const failed: Connection['failed'] = (thrown, right) => {
    // Some of the client's functions throw gRPC's own errors.
    const error = thrown instanceof Error ? convertToCommandError(thrown) : thrown;
    if (isWithoutResponse(error)) {
      const failure = explained(error);
      renew(error);
      watch.failed(failure);
      return failure;
    }
    if (error instanceof StoreUnavailable || error instanceof UnreadableEvent) return error;
    return isDenied(error)
      ? new RightMissing(credentials?.username ?? null, right, { cause: error })
      : new StoreUnavailable(messageOf(error), { cause: error });
  };

  let client = create();
  return {
    get client() {
      return client;
    },
    get internals() {
      return client as unknown as ClientInternals;
    },
    credentials: credentials ? { credentials } : {},
    responded: watch.responded,
    failed,
    reportFailure: (failure) => {
      if (!(failure instanceof StoreUnavailable)) return;
      if (failure instanceof RightMissing || isUnauthenticated(failure.cause)) watch.refused(failure);
    },
    openAnother: (name) => connect(connectionString, { ...options, connectionName: name }),
    close: async () => {
      await withTimeout(CLOSING, client.dispose()).catch(() => undefined);
      // With a cluster, finding the channel would need a discovery, so it is left to close when idle.
      if (discover) return;
      const channel = await (client as unknown as ClientInternals).getChannel();
      channel.close();
    },
  };
};
