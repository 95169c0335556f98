import { isIPv6 } from 'node:net';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createAuthenticate } from '../../api/authentication.ts';
import { createGivingUp } from '../../api/given-up.ts';
import { eventStorePart, projectionPart, reactorsPart, type HealthPart } from '../../http/health.ts';
import { createProxies } from '../../http/client-address.ts';
import { createIdentify, createRefusals, requiring } from '../../api/identify.ts';
import { notingUses, type LastUses } from '../../api/last-uses.ts';
import { createMetricsApp } from '../../http/metrics-app.ts';
import type { KeySource } from '../../api/key-source.ts';
import { listen } from '../../http/listen.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import type { ApiDependencies } from '../../api/endpoints.ts';
import { createApp, isUrgent, type Endpoint } from '../../http/app.ts';
import { abandoningLater } from '../../http/routes/idempotency.ts';
import { haltedBecause } from '../../reactors/engine/checkpoint.ts';
import { findSession } from '../../commands/sign-in/session-tokens.ts';
import type { Commands } from '../../commands/index.ts';
import type { SocketAddress } from '../../domain/target/policy.ts';
import { SELF_HOSTED } from '../../domain/organization/plans.ts';
import { instantOf } from '../../domain/time.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import type { Artifacts } from '../../stores/artifacts/port.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Keys } from '../../stores/keys/port.ts';
import type { Config } from '../config/config.ts';
import { mostCallers } from '../embedded/descriptors.ts';
import { createInvoiceFiles } from '../threads/invoice-files.ts';
import { viewRetention } from './retention-view.ts';

/** Endpoints that are served together, made from what the process has. */
export type Surface = (parts: ApiDependencies) => readonly Endpoint[];

export interface HttpOptions {
  /** the time of requests (commands/engine/fact-clock.ts), milliseconds since 1970 */
  clock: () => number;
  /** the time by which keys expire, milliseconds since 1970 */
  wallClock: () => number;
  config: Config;
  surfaces: readonly Surface[];
  /** for `/health` */
  logs: readonly EventStore[];
  /** for `/health`: the other parts of this process */
  parts: () => readonly HealthPart[];
  keys: Keys;
  artifacts: Artifacts;
  coordination: Coordination;
  commands: Commands;
  readers: Readers;
  statuses: Statuses;
  keySource: KeySource;
  lastUses: LastUses;
  /** tells other processes up to where what was taken from somebody counts */
  announceGivenUp: (position: bigint) => Promise<void>;
  registry: Registry;
  logger: Logger;
}

export interface Http {
  /** `http://127.0.0.1:3000` */
  address: string;
  /** where it listens, `/metrics` included */
  listening: readonly SocketAddress[];
  stop: () => Promise<void>;
}

/** Serves surfaces, `/health` and `/metrics`. @throws Error says in a sentence why the address can't be listened on */
export const startHttp = async (options: HttpOptions): Promise<Http> => {
  const {
    config,
    clock,
    wallClock,
    surfaces,
    logs,
    parts,
    keys,
    artifacts,
    coordination,
    commands,
    readers,
    statuses,
    keySource,
    lastUses,
    announceGivenUp: announce,
  } = options;
  const { registry, logger } = options;
  const stopping = new AbortController();
  const { trustProxy, metricsToken, metricsPort } = config;
  const proxies = createProxies(trustProxy);
  const monotonic = () => performance.now();
  const authenticate = createAuthenticate({
    find: keySource.find,
    user: keySource.user,
    session: (hash) => findSession(coordination.entries, hash, wallClock()),
    version: keySource.version,
    now: () => instantOf(wallClock()),
  });
  const retention = await viewRetention(coordination);
  const refusals = createRefusals(config.unauthorizedPerMinute, monotonic);
  const identify = notingUses(createIdentify(authenticate, refusals), lastUses);
  const rateLimit = createRateLimit(config.rateLimitPerSecond, monotonic);
  const shared = {
    commands,
    readers,
    giveUp: createGivingUp({ takeEffect: keySource.takeEffect, forget: authenticate.forget, announce }),
    keys,
    artifacts,
    lastUses,
    invoiceFile: createInvoiceFiles(),
    logger,
    publicUrl: config.publicUrl,
    claims: abandoningLater(coordination),
    resultsFrom: retention.from,
    plans: config.plans ?? SELF_HOSTED,
    clock,
  };
  const app = createApp({
    endpoints: surfaces.flatMap((surface) => surface({ ...shared, identify, rateLimit })),
    identify: requiring('metrics.read', identify),
    logger,
    proxies,
    metricsAccess: { token: metricsToken, loopback: !proxies.any && metricsToken === null && metricsPort === null },
    health: async () => [
      ...(await Promise.all(logs.map(eventStorePart))),
      await reactorsPart(
        () => haltedBecause(coordination),
        () => coordination.held.counts(),
      ),
      ...statuses.all().map((status) => {
        const { name } = status;
        return projectionPart(status, statuses.lag(name), statuses.isCurrent(name));
      }),
      await retention.part(),
      ...parts(),
    ],
    registry,
    stopping: stopping.signal,
  });
  const { host, port } = config;
  const limits = {
    total: Math.min(config.maxConnections, mostCallers(config)),
    perAddress: config.maxConnectionsPerAddress,
    exempt: proxies.isTrusted,
  };
  const { clientOf } = proxies;
  const server = await listen(app, { host, port, stopping, limits, isUrgent, clientOf }).catch((error: unknown) => {
    // Repeated looks would keep a process alive that can't be reached.
    retention.stop();
    throw error;
  });
  const figures =
    metricsPort === null
      ? null
      : await listen(createMetricsApp({ registry, token: metricsToken, stopping: stopping.signal }), {
          host,
          port: metricsPort,
          stopping,
          limits,
        }).catch(async (error: unknown) => {
          retention.stop();
          await server.stop();
          throw error;
        });
  if (figures) logger.info({ port: figures.port }, '/metrics has its own port');
  return {
    listening: [server, ...(figures ? [figures] : [])].map(({ host, port }) => ({ address: host, port })),
    address: `http://${isIPv6(server.host) ? `[${server.host}]` : server.host}:${server.port}`,
    stop: async () => {
      retention.stop();
      await Promise.all([server.stop(), figures?.stop()]);
    },
  };
};
