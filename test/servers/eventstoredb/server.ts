import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import gossipMessages from '@eventstore/db-client/generated/gossip_pb.js';
import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import persistentServices from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import featuresMessages from '@eventstore/db-client/generated/serverfeatures_pb.js';
import featuresServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, type handleUnaryCall, type ServiceDefinition } from '@grpc/grpc-js';
import { createAccess, type User } from './access.ts';
import { Faults } from './faults.ts';
import { createGroups } from './groups.ts';
import { EventLog } from './log.ts';
import { uuidOf } from './messages.ts';
import { createReads } from './reads.ts';
import { createWrites } from './writes.ts';

export interface DoubleOptions {
  /** file that preserves events over a restart; default: events are stored in memory only */
  file?: string;
  /** default: a free port */
  port?: number;
  /** events to serve; two doubles with the same events act as two nodes of a cluster */
  log?: EventLog;
  /** key and certificate of TLS in PEM; default: no TLS */
  tls?: { key: string; cert: string };
  /** users and their rights; default: every call is allowed */
  users?: readonly User[];
}

/** A server that speaks EventStoreDB's gRPC protocol and can simulate faults. */
export interface Double {
  port: number;
  /** connection string of the server */
  url: string;
  log: EventLog;
  faults: Faults;
  /** Cuts all connections. */
  dropConnections: () => void;
  /** Ends all subscriptions, as a server does at a regular shutdown. */
  closeSubscriptions: () => void;
  /** returns the number of open catch-up subscriptions */
  subscriptions: () => number;
  /** Stops the server as if it were killed. Pending calls get no response. */
  close: () => Promise<void>;
}

const VERSION = '22.10.5.0';
const EVERYTHING = ['stream', 'all'];
const STREAMS = 'event_store.client.streams.streams';
const PERSISTENT = 'event_store.client.persistent_subscriptions.persistentsubscriptions';

/** The methods that the double announces to clients: service, method and features. */
const METHODS: readonly (readonly [string, string, readonly string[]])[] = [
  [STREAMS, 'read', ['position', 'events']],
  [STREAMS, 'append', []],
  [STREAMS, 'delete', []],
  [STREAMS, 'tombstone', []],
  [STREAMS, 'batchappend', ['deadline_duration']],
  ...['create', 'update', 'delete', 'read', 'getinfo', 'replayparked', 'list', 'restartsubsystem'].map(
    (method) => [PERSISTENT, method, EVERYTHING] as const,
  ),
  ['event_store.client.gossip.gossip', 'read', []],
  ['event_store.client.monitoring.monitoring', 'stats', []],
];

export const startDouble = async ({
  file,
  port = 0,
  log = new EventLog(file),
  tls,
  users,
}: DoubleOptions = {}): Promise<Double> => {
  const faults = new Faults();
  const sockets = new Set<Socket>();
  const dropConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const access = createAccess(log, users ?? null);
  const reads = createReads(log, faults, access);
  const groups = createGroups(log, faults, access);
  const writes = createWrites(log, faults, access, () => {
    if (faults.dropsAfterStoring === 0) return true;
    faults.dropsAfterStoring--;
    dropConnections();
    return false;
  });

  const grpc = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  const add = (service: object, implementation: object): void => {
    grpc.addService(service as ServiceDefinition, implementation as Record<string, handleUnaryCall<unknown, unknown>>);
  };
  add(streamsServices.StreamsService, {
    ...writes,
    read: (call: Parameters<typeof reads.read>[0]) => void reads.read(call),
  });
  add(persistentServices.PersistentSubscriptionsService, groups.service);
  add(featuresServices.ServerFeaturesService, { getSupportedMethods: supportedMethods(faults) });
  add(gossipServices.GossipService, { read: members(faults, () => (listener.address() as AddressInfo).port) });

  // Connections go through a listener of our own, because gRPC's listener offers no way to cut them.
  const injector = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const inject = (socket: Socket): void => {
    socket.on('error', () => undefined);
    injector.injectConnection(socket);
  };
  const listener = tls ? createTlsServer({ ...tls, ALPNProtocols: ['h2'] }, inject) : createServer(inject);
  listener.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, '127.0.0.1', resolve);
  });
  const bound = (listener.address() as AddressInfo).port;

  return {
    port: bound,
    url: `esdb://127.0.0.1:${bound}?tls=${tls !== undefined}`,
    log,
    faults,
    dropConnections,
    closeSubscriptions: () => {
      reads.closeSubscriptions();
      groups.closeSubscriptions();
    },
    subscriptions: reads.subscriptions,
    close: async () => {
      faults.goSilent();
      groups.close();
      const closed = new Promise((resolve) => listener.close(resolve));
      dropConnections();
      injector.destroy();
      grpc.forceShutdown();
      await closed;
    },
  };
};

const supportedMethods =
  (faults: Faults): handleUnaryCall<shared.Empty, featuresMessages.SupportedMethods> =>
  (_call, respond) => {
    if (!faults.begin()()) return;
    const supported = new featuresMessages.SupportedMethods().setEventStoreServerVersion(VERSION);
    for (const [service, method, features] of METHODS) {
      const one = new featuresMessages.SupportedMethod().setServiceName(service).setMethodName(method);
      supported.addMethods(one.setFeaturesList([...features]));
    }
    respond(null, supported);
  };

/**
 * Creates the handler that describes the cluster as this node sees it: the node itself, and the leader if that is
 * another node.
 */
const members =
  (faults: Faults, port: () => number): handleUnaryCall<shared.Empty, gossipMessages.ClusterInfo> =>
  (_call, respond) => {
    if (!faults.begin()()) return;
    const { LEADER, FOLLOWER } = gossipMessages.MemberInfo.VNodeState;
    const member = (address: string, at: number, leads: boolean): gossipMessages.MemberInfo =>
      new gossipMessages.MemberInfo()
        .setInstanceId(uuidOf(`00000000-0000-4000-8000-${at.toString().padStart(12, '0')}`, true))
        .setTimeStamp((BigInt(Date.now()) * 10_000n).toString())
        .setState(leads ? LEADER : FOLLOWER)
        .setIsAlive(true)
        .setHttpEndPoint(new gossipMessages.EndPoint().setAddress(address).setPort(at));
    const info = new gossipMessages.ClusterInfo();
    info.addMembers(member('127.0.0.1', port(), faults.leader === null));
    if (faults.leader) info.addMembers(member(faults.leader.host, faults.leader.port, true));
    respond(null, info);
  };
