import { isIPv6 } from 'node:net';
import type { Express } from 'express';
import { createPastReads } from '../../projections/past/past-reads.ts';
import {
  createAuthenticate,
  createIdentifyCaller,
  createRefusalLimits,
  requirePermission,
} from '../../api/authentication.ts';
import { createApplyRevocations } from '../../api/revocations.ts';
import { eventStorePart, projectionPart, reactorsPart, type HealthPart } from '../../http/health.ts';
import type { SiteDependencies } from '../../site/endpoints.ts';
import { createProxies, type Proxies } from '../../http/client-address.ts';
import { recordingUses, type LastUses } from '../../api/last-uses.ts';
import type { KeySource } from '../../api/key-source.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import type { ApiDependencies } from '../../api/endpoints.ts';
import type { Operator } from '../../api/v1/operator/operator.ts';
import { createApp, type Endpoint } from '../../http/app.ts';
import { domainAllowed } from '../../site/hosts/domain-allowed.ts';
import { retryAbandoning } from '../../http/routes/idempotency.ts';
import { readHaltReason } from '../../reactors/engine/checkpoint.ts';
import { findSession } from '../../commands/sign-in/session-tokens.ts';
import type { Commands } from '../../commands/index.ts';
import type { LiveRunners, Region } from '../../domain/check/regions.ts';
import type { SocketAddress } from '../../domain/target/policy.ts';
import { SELF_HOSTED } from '../../domain/organization/plans.ts';
import { instantOf } from '../../domain/time.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { Statuses } from '../../projections/engine/status/statuses.ts';
import type { Artifacts } from '../../stores/artifacts/port.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { createSharedMemoryReadStore } from '../../stores/read-store/memory.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { firstOrganizationOf } from '../bootstrap.ts';
import { isCluster } from '../config/config.ts';
import type { Deployment } from '../deployment.ts';
import { createCardPictures } from '../threads/card-pictures.ts';
import { sentModesOf } from '../notifiers.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { createInvoiceFiles } from '../threads/invoice-files.ts';
import { createStatementFiles } from '../threads/statement-files.ts';
import { createIncidentPreviews } from './incident-previews.ts';
import { listenAll, type ListenAllOptions } from './listen-all.ts';
import { createOperator } from './operator.ts';
import { createPagePreviews } from './page-previews.ts';
import { viewRetention, type RetentionView } from './retention-view.ts';

/** Creates the endpoints of one surface (API, site) from the dependencies of the process. */
export type EndpointFactory = (parts: ApiDependencies & Omit<SiteDependencies, 'docs'>) => readonly Endpoint[];

export interface HttpOptions extends ListenAllOptions {
  /** returns the time for requests (commands/engine/fact-clock.ts), in milliseconds since 1970 */
  clock: () => number;
  /** returns the time for the expiry of keys, in milliseconds since 1970 */
  wallClock: () => number;
  surfaces: readonly EndpointFactory[];
  /** records requests; null: tracing is off */
  tracing: Pick<Tracing, 'request'> | null;
  /** the log whose changes are sent to event streams */
  main: EventStore;
  /** the log of results and pings, which past states are read from */
  results: EventStore;
  /** logs whose state is shown in `/health` */
  logs: readonly EventStore[];
  /** returns the other parts of this process for `/health` */
  parts: () => readonly HealthPart[];
  keys: Keys;
  artifacts: Artifacts;
  coordination: Coordination;
  /** the queues and the id of the log, for the operator; the id determines the operator's organization */
  deployment: Pick<Deployment, 'queue' | 'logId'>;
  runners: LiveRunners;
  regions: readonly Region[];
  commands: Commands;
  readers: Readers;
  statuses: Statuses;
  keySource: KeySource;
  lastUses: LastUses;
  /** announces to other processes up to which log position they must apply revocations */
  announceRevocation: (position: bigint) => Promise<void>;
}

export interface Http {
  /** base URL of the server: `http://127.0.0.1:3000` */
  address: string;
  /** the addresses on which the process listens, including that of `/metrics` */
  listening: readonly SocketAddress[];
  stop: () => Promise<void>;
}

/**
 * Starts a server for endpoints, `/health` and `/metrics`.
 *
 * @throws Error explains why the server can't listen on the address
 */
export const startHttp = async (options: HttpOptions): Promise<Http> => {
  const stopping = new AbortController();
  const proxies = createProxies(options.config.trustProxy);
  const retention = await viewRetention(options.coordination);
  try {
    const app = appOf(options, { proxies, retention, stopping: stopping.signal });
    const servers = await listenAll(app, options, { proxies, stopping });
    const [server] = servers;
    return {
      listening: servers.map(({ host, port }) => ({ address: host, port })),
      address: `http://${isIPv6(server.host) ? `[${server.host}]` : server.host}:${server.port}`,
      stop: async () => {
        retention.stop();
        await Promise.all(servers.map(({ stop }) => stop()));
      },
    };
  } catch (error) {
    // Stop the polling. Otherwise, it would keep a process alive that no client can reach.
    retention.stop();
    throw error;
  }
};

interface AppParts {
  proxies: Proxies;
  retention: RetentionView;
  stopping: AbortSignal;
}

const appOf = (options: HttpOptions, { proxies, retention, stopping }: AppParts): Express => {
  const { config, clock, wallClock, surfaces, pageHosts, keys, artifacts, coordination, commands } = options;
  const {
    readers,
    statuses,
    keySource,
    lastUses,
    announceRevocation: announce,
    registry,
    logger,
    main,
    results,
  } = options;
  const monotonic = (): number => performance.now();
  const authenticate = createAuthenticate({
    find: keySource.find,
    user: keySource.user,
    session: (hash) => findSession(coordination.entries, hash, wallClock()),
    version: keySource.version,
    now: () => instantOf(wallClock()),
  });
  const refusals = createRefusalLimits(config.unauthorizedPerMinute, monotonic);
  const identify = recordingUses(createIdentifyCaller(authenticate, refusals), lastUses);
  const places = { publicUrl: config.publicUrl, publicDomain: config.publicDomain };
  const shared = {
    commands,
    readers,
    statuses,
    applyRevocations: createApplyRevocations({
      takeEffect: keySource.takeEffect,
      forget: authenticate.forget,
      announce,
    }),
    keys,
    artifacts,
    lastUses,
    invoiceFile: createInvoiceFiles(),
    statementFile: createStatementFiles(),
    cardPicture: createCardPictures({
      trouble: (error) => {
        logger.warn({ err: error }, 'a card could not be drawn');
      },
    }),
    places,
    previewIncident: createIncidentPreviews({ readers, places, sentModes: sentModesOf(config) }),
    operator: operatorOf(options, () => healthOf(options, retention)),
    previewPage: createPagePreviews({ places, sentModes: sentModesOf(config) }),
    logger,
    publicUrl: config.publicUrl,
    claims: retryAbandoning(coordination),
    resultsFrom: retention.from,
    plans: config.plans ?? SELF_HOSTED,
    clock,
    identify,
    rateLimit: createRateLimit(config.rateLimitPerSecond, monotonic),
    main,
    past: createPastReads({
      main,
      results: { log: results, positionOf: (name) => statuses.of(name).position },
      openStore: createSharedMemoryReadStore,
      clock: wallClock,
    }),
    authenticate,
    mostEventStreams: config.maxStreams,
  };
  const { metricsToken: token, metricsPort } = config;
  return createApp({
    endpoints: [
      ...surfaces.flatMap((surface) => surface(shared)),
      ...(pageHosts ? [domainAllowed(pageHosts, proxies)] : []),
    ],
    ...(pageHosts && { pageHosts }),
    identify: requirePermission('metrics.read', identify),
    logger,
    proxies,
    metricsAccess: { token, loopback: !proxies.any && token === null && metricsPort === null },
    health: () => healthOf(options, retention),
    registry,
    describeChecks: options.describeChecks,
    traceRequest: options.tracing?.request,
    stopping,
    mostEventStreams: config.maxStreams,
  });
};

const operatorOf = (options: HttpOptions, health: () => Promise<HealthPart[]>): Operator => {
  const { config, deployment, wallClock: clock } = options;
  return createOperator({
    ...options,
    organizationId: firstOrganizationOf(deployment.logId),
    queue: deployment.queue,
    health,
    folder: isCluster(config) ? null : config.dataDir,
    clock,
  });
};

/** Returns the parts in the response of `/health/ready`. */
const healthOf = async (
  { logs, coordination, statuses, parts }: HttpOptions,
  retention: Pick<RetentionView, 'part'>,
): Promise<HealthPart[]> => [
  ...(await Promise.all(logs.map(eventStorePart))),
  await reactorsPart(
    () => readHaltReason(coordination),
    () => coordination.failedItems.counts(),
  ),
  ...statuses.all().map((status) => {
    const { name } = status;
    return projectionPart(status, statuses.lag(name), statuses.isCurrent(name));
  }),
  await retention.part(),
  ...parts(),
];
