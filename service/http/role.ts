import { apiEndpoints } from '../../api/endpoints.ts';
import { createKeySource, type TakeEffect } from '../../api/key-source.ts';
import { createLastUses, type LastUses } from '../../api/last-uses.ts';
import { createRunnerSource, type RunnerSource } from '../../api/runner-source.ts';
import { v1Routes } from '../../api/v1/index.ts';
import { highestPosition } from '../../commands/engine/appended-positions.ts';
import type { OrganizationEvent } from '../../domain/organization/events.ts';
import { instantOf } from '../../domain/time.ts';
import { readUntilEnd } from '../../projections/engine/feed/log-end.ts';
import type { Endpoint } from '../../http/app.ts';
import type { PageHosts } from '../../http/hosts/page-hosts.ts';
import type { DescribeChecks } from '../../http/metrics-response.ts';
import { siteEndpoints } from '../../site/endpoints.ts';
import { createPageHosts } from '../../site/hosts/page-hosts.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Assembly } from '../assembly.ts';
import { isCluster } from '../config/config.ts';
import type { ApiRevocations } from '../deployment.ts';
import { createCheckSeries } from '../metrics/check-series.ts';
import { sentModesOf } from '../notifiers.ts';
import { keepRecordingReception } from '../../reactors/heartbeats/reception.ts';
import { servesPages } from '../plan.ts';
import { docsSource } from './docs-source.ts';
import { startHttp, type Http, type EndpointFactory } from './server.ts';
import { tokensIssuedAfter } from './registered-runners.ts';

/**
 * Records in the coordination store that this process receives heartbeat pings, for as long as the process serves
 * requests.
 */
export const recordReception = async ({ closing, deployment, clock, troubles }: Assembly): Promise<void> => {
  const noting = {
    coordination: deployment.coordination,
    clock: clock.now,
    trouble: (error: unknown) => {
      troubles.report('Cannot record heartbeat reception.', error);
    },
  };
  closing.add('the record of heartbeat reception', await keepRecordingReception(noting));
};

/**
 * Starts the HTTP server. It serves the API and status pages if these are duties of the process, and otherwise only
 * health and metrics.
 *
 * @param ofRunners creates the endpoints for remote runners
 */
export const startHttpRole = async (
  assembly: Assembly,
  ofRunners: (source: RunnerSource) => readonly Endpoint[],
): Promise<Http> => {
  const { plan, closing, deployment, clock, facts, handle, readers, statuses, appended, reserved, parts } = assembly;
  const { main, results, artifacts, coordination } = deployment;
  const isApi = plan.duties.has('api');
  const isSite = servesPages(plan);
  const surfaces: EndpointFactory[] = [
    (ofApi) => apiEndpoints(isApi ? v1Routes : [], ofApi),
    ...(isSite ? [siteOf(assembly)] : []),
  ];
  // A placeholder until the real function is assigned below. As long as this process serves no requests, commands do
  // not wait for it to apply revocations.
  let takeEffect: TakeEffect = () => 0n;
  const revocations = isApi ? await deployment.followRevocations((position) => takeEffect(position)) : NO_REVOCATIONS;
  const made = highestPosition(appended, main.name);
  const from = revocations.from > made ? revocations.from : made;
  const lookup = { read: readers.asFolded, statuses, load: handle.load, from, isInformed: revocations.isCurrent };
  const keys = createKeySource({ ...lookup, createdAfter: (position) => organizationsAfter(main, position) });
  const runnerSource = createRunnerSource({
    ...lookup,
    issuedAfter: (position) => tokensIssuedAfter(main, position),
    now: () => instantOf(clock.now()),
  });
  takeEffect = everywhere([keys.takeEffect, runnerSource.takeEffect]);
  const keySource = { ...keys, takeEffect };
  const forRunners = ofRunners(runnerSource);
  surfaces.push(() => forRunners);
  const http = await startHttp({
    ...assembly,
    readers: assembly.requestReaders,
    surfaces,
    pageHosts: isSite ? pageHostsOf(assembly) : null,
    describeChecks: describeChecksOf(assembly),
    main,
    results,
    logs: [main, results],
    keys: deployment.keys,
    artifacts,
    coordination,
    keySource,
    lastUses: lastUsesOf(assembly),
    announceRevocation: revocations.announce,
    clock: facts.now,
    wallClock: clock.now,
    parts: () => parts.map((part) => part()),
  });
  closing.add('the HTTP server', http.stop);
  reserved.listening(http.listening);
  return http;
};

/**
 * Returns the function for the metrics of checks; undefined if METRICS_CHECKS turns them off. In a cluster, the metrics
 * for the operator come only from the duty `schedule`, so that adding processes for requests does not repeat them.
 */
const describeChecksOf = ({ config, plan, readers, clock }: Assembly): DescribeChecks | undefined => {
  if (config.metricsChecks === 0) return undefined;
  // These readers have no cache: a scrape would replace the documents that other requests read.
  const read = readers.for({ appended: new Map() });
  const describe = createCheckSeries({ read, limit: config.metricsChecks, clock: clock.now });
  return async (organizationId) =>
    plan.duties.has(organizationId === null ? 'schedule' : 'api') ? describe(organizationId) : '';
};

const pageHostsOf = ({ config, requestReaders, statuses }: Assembly): PageHosts =>
  createPageHosts({
    places: config,
    read: () => requestReaders.for({ appended: new Map() }),
    // In a cluster, other processes write pages too, so the statuses of this process do not show every change.
    statuses: isCluster(config) ? null : statuses,
    clock: () => performance.now(),
  });

const lastUsesOf = ({ deployment, clock, troubles, closing }: Assembly): LastUses => {
  const lastUses = createLastUses({
    entries: deployment.coordination.entries,
    clock: clock.now,
    onFailure: (error) => {
      troubles.report('Cannot store when API keys were last used.', error);
    },
  });
  closing.add('the recorder of API key use', lastUses.stop);
  return lastUses;
};

/** Creates the endpoints of the site, as configured for this process. */
const siteOf =
  ({ config }: Assembly): EndpointFactory =>
  (shared) =>
    siteEndpoints({ ...shared, frontDoor: config.frontDoor, docs: docsSource, sentModes: sentModesOf(config) });

/** Combines functions that apply revocations. The result is the lowest position that all of them have applied. */
const everywhere =
  (all: readonly TakeEffect[]): TakeEffect =>
  (position) =>
    all.map((takeEffect) => takeEffect(position)).reduce((one, other) => (other < one ? other : one));

/** Returns the ids of the organizations that were created after a position of the log `main`. */
const organizationsAfter = async (main: EventStore, position: bigint): Promise<string[]> => {
  const found: string[] = [];
  for await (const events of readUntilEnd(main, position, ['organization'])) {
    for (const event of events as readonly OrganizationEvent[]) {
      if (event.type === 'OrganizationCreated') found.push(event.data.organization_id);
    }
  }
  return found;
};

/** The revocations of a process without an API, which neither receives nor announces any. */
const NO_REVOCATIONS: ApiRevocations = { announce: async () => undefined, isCurrent: () => true, from: 0n };
