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

/** Settings of a call. Set `requiresLeader` for calls that need the newest state. */
export interface CallSettings {
  credentials?: Credentials;
  requiresLeader?: boolean;
  /** milliseconds */
  deadline?: number;
}

type GrpcClientConstructor<Client> = new (...input: never[]) => Client;

/**
 * Private functions of the client library, whose version is pinned. They are needed because the public functions of
 * version 6.2.1 send the appends of several callers in one gRPC stream, and can't filter reads of the global order.
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
  /** Returns the target of the next channel, `host:port`. For a cluster, discovers the leader first. */
  resolveUri: () => Promise<string>;
}

/** A connection to EventStoreDB, shared by all logs and queues that a process uses. */
export interface Connection {
  /**
   * the current client; read this property for each call, because the client is replaced when the connection is lost
   */
  readonly client: EventStoreDBClient;
  readonly internals: ClientInternals;
  /** options to spread into each call; empty if the connection string names no user */
  readonly credentials: { credentials?: Credentials };
  /** Call when the server has responded to a call. */
  responded: () => void;
  /**
   * Call with the error that a call threw, so that a lost connection is replaced soon.
   *
   * @param right the user's right that the call needed
   * @returns the error to throw to the caller
   */
  failed: (error: unknown, right: Right) => StoreUnavailable | UnreadableEvent;
  /** Call with a failure that no caller receives, so that operators learn of refusals. */
  reportFailure: (failure: unknown) => void;
  /**
   * Opens another connection to the same server. The server can distinguish the calls of the two connections by their
   * names.
   */
  openAnother: (connectionName: string) => Connection;
  close: () => Promise<void>;
}

export interface ConnectOptions {
  connectionName?: string;
  watch?: ConnectionWatch | undefined;
  /** resolves host names when the cause of a problem is diagnosed */
  lookup?: LookupFunction | undefined;
}

/** Minimum time between two replacements of a lost connection, in milliseconds. */
const RENEWAL_PAUSE = 1_000;
/**
 * Minimum time between two replacements of an unresponsive connection, in milliseconds. It is longer than for a lost
 * connection, because the server may only be slow, and because the replaced connection stays open until gRPC notices
 * that it is dead.
 */
const SILENCE_PAUSE = 15_000;
const RENEWALS = 1_000;
/** Maximum time that closing waits for cancelled calls to end, in milliseconds. */
const CLOSING = 1_000;

/**
 * Creates a connection, and sends no request. The connection is made at the first call.
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
   * Before gRPC reconnects to an address, it waits with a backoff of up to two minutes. All clients in the process that
   * have equal settings share this backoff. So the client that replaces another one gets a ping interval that is a
   * millisecond longer. Because its settings differ, gRPC connects immediately.
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
    // Some functions of the client library throw unconverted gRPC errors.
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
      // In a cluster, the channel can be found only by discovering the leader again. So do not close the channel: it
      // closes when it is idle.
      if (discover) return;
      const channel = await (client as unknown as ClientInternals).getChannel();
      channel.close();
    },
  };
};
