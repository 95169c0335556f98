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
import { ConnectionTrouble, type Endpoint } from '../connection-trouble.ts';
import { StoreUnavailable } from '../event-store/port.ts';
import { parseConnectionString } from './connection-string.ts';
import { diagnose } from './diagnosis.ts';
import {
  isDenied,
  isUnanswered,
  isUnauthenticated,
  isUndiscovered,
  messageOf,
  Silence,
  UnreadableEvent,
  within,
} from './failures.ts';
import { RightMissing, type Right } from './rights.ts';
import { nameNoAddresses } from './server-name.ts';
import { UNWATCHED, type Watch } from '../connection-watch.ts';

/** How a call is made: by the leader if its answer must be the newest. */
export interface CallSettings {
  credentials?: Credentials;
  requiresLeader?: boolean;
  /** milliseconds */
  deadline?: number;
}

type GrpcClientConstructor<Client> = new (...input: never[]) => Client;

/**
 * The client's private functions. An append must not share a stream with other callers, and
 * reads of the global order must be filtered; the public functions of 6.2.1 do neither. The version is pinned.
 */
export interface ClientInside {
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
  /** Where the next channel goes: `host:port`, for which a cluster is asked. */
  resolveUri: () => Promise<string>;
}

/** A connection to EventStoreDB, shared by whatever the process has open there. */
export interface Connection {
  /** the current client; not to be kept */
  readonly client: EventStoreDBClient;
  readonly inside: ClientInside;
  /** of each call; absent when the connection string names no user */
  readonly credentials: { credentials?: Credentials };
  /** Call when a call was answered. */
  worked: () => void;
  /**
   * Call with what a call threw, so a lost connection is replaced soon.
   *
   * @param right the right that the call needed
   * @returns the error of the port
   */
  failed: (error: unknown, right: Right) => StoreUnavailable | UnreadableEvent;
  /** Call with a failure that nobody else reports; operators are then told if the server refuses something. */
  passedOver: (failure: unknown) => void;
  /** Another connection to the same server, so the server can tell their calls apart. */
  another: (connectionName: string) => Connection;
  close: () => Promise<void>;
}

export interface ConnectOptions {
  connectionName?: string;
  watch?: Watch | undefined;
  /** resolves host names, to find causes of trouble */
  lookup?: LookupFunction | undefined;
}

/** Milliseconds between two replacements of a lost connection. */
const RENEWAL_PAUSE = 1_000;
/** The same for a silent one: it stays open until gRPC has noticed, and may only have been slow. */
const SILENCE_PAUSE = 15_000;
const RENEWALS = 1_000;
/** Milliseconds that calls under way get to notice that they were cancelled. */
const CLOSING = 1_000;

/**
 * Connects when a connection is first needed; nothing is asked of the server yet.
 *
 * @throws BadConnectionString
 */
export const connect = (connectionString: string, options: ConnectOptions = {}): Connection => {
  const { connectionName, watch = UNWATCHED, lookup } = options;
  const parsed = parseConnectionString(connectionString);
  const { url, credentials, keepAliveInterval, discover, tls } = parsed;
  if (tls) nameNoAddresses();
  let node: Endpoint | null = null;
  let renewals = 0;
  let renewedAt = -Infinity;

  /*
   * gRPC waits longer and longer, up to two minutes, before it reconnects to an address, and shares that pause
   * among all clients of the process with equal settings. So a renewed client pings a millisecond
   * later than the one before: to gRPC that is another address, and it tries at once.
   */
  const create = (): EventStoreDBClient => {
    const settings = [
      `keepAliveInterval=${(keepAliveInterval + (renewals % RENEWALS)).toString()}`,
      ...(connectionName === undefined ? [] : [`connectionName=${encodeURIComponent(connectionName)}`]),
    ];
    const made = EventStoreDBClient.connectionString(`${url}${url.includes('?') ? '&' : '?'}${settings.join('&')}`);
    const inside = made as unknown as ClientInside;
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
    const silent = error instanceof Silence || error instanceof DeadlineExceededError;
    if (!lost && !silent) return;
    if (performance.now() - renewedAt < (lost ? RENEWAL_PAUSE : SILENCE_PAUSE)) return;
    renewedAt = performance.now();
    renewals++;
    client = create();
  };

  const failed: Connection['failed'] = (thrown, right) => {
    // Some of the client's functions throw what gRPC has thrown.
    const error = thrown instanceof Error ? convertToCommandError(thrown) : thrown;
    if (isUnanswered(error)) {
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
    get inside() {
      return client as unknown as ClientInside;
    },
    credentials: credentials ? { credentials } : {},
    worked: watch.worked,
    failed,
    passedOver: (failure) => {
      if (!(failure instanceof StoreUnavailable)) return;
      if (failure instanceof RightMissing || isUnauthenticated(failure.cause)) watch.refused(failure);
    },
    another: (name) => connect(connectionString, { ...options, connectionName: name }),
    close: async () => {
      await within(CLOSING, client.dispose()).catch(() => undefined);
      // If a cluster would have to be asked first, the channel is left to close itself when it is idle.
      if (discover) return;
      const channel = await (client as unknown as ClientInside).getChannel();
      channel.close();
    },
  };
};
