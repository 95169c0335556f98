import { apiEndpoints } from '../../api/endpoints.ts';
import { createKeySource, type TakeEffect } from '../../api/key-source.ts';
import { createLastUses, type LastUses } from '../../api/last-uses.ts';
import { createRunnerSource, type RunnerSource } from '../../api/runner-source.ts';
import { v1Routes } from '../../api/v1/index.ts';
import { highestOf } from '../../commands/engine/appended-positions.ts';
import type { OrganizationEvent } from '../../domain/organization/events.ts';
import { instantOf } from '../../domain/time.ts';
import { untilEnd } from '../../projections/engine/feed/log-end.ts';
import type { Endpoint } from '../../http/app.ts';
import type { PageHosts } from '../../http/hosts/page-hosts.ts';
import { siteEndpoints } from '../../site/endpoints.ts';
import { createPageHosts } from '../../site/hosts/page-hosts.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Assembly } from '../assembly.ts';
import { isCluster } from '../config/config.ts';
import type { GivenUpHere } from '../deployment.ts';
import { sentModesOf } from '../notifiers.ts';
import { noteReception } from '../../reactors/heartbeats/reception.ts';
import { servesPages } from '../plan.ts';
import { docsSource } from './docs-source.ts';
import { startHttp, type Http, type Surface } from './server.ts';
import { tokensIssuedAfter } from './registered-runners.ts';

/** Records that this process receives heartbeat pings, for as long as it serves requests. */
export const noteReceptionHere = async ({ closing, deployment, clock, troubles }: Assembly): Promise<void> => {
  const noting = {
    coordination: deployment.coordination,
    clock: clock.now,
    trouble: (error: unknown) => {
      troubles.tell('Cannot record heartbeat reception.', error);
    },
  };
  closing.add('the record of heartbeat reception', await noteReception(noting));
};

/**
 * Starts the HTTP server: with the API and pages if these are duties of the process, otherwise with health and metrics
 * only.
 */
export const startAnswering = async (
  assembly: Assembly,
  ofRunners: (source: RunnerSource) => readonly Endpoint[],
): Promise<Http> => {
  const { plan, closing, deployment, clock, facts, handle, readers, statuses, appended, reserved, parts } = assembly;
  const { main, results, artifacts, coordination } = deployment;
  const isApi = plan.duties.has('api');
  const isSite = servesPages(plan);
  const surfaces: Surface[] = [
    (ofApi) => apiEndpoints(isApi ? v1Routes : [], ofApi),
    ...(isSite ? [siteOf(assembly)] : []),
  ];
  // Commands wait for this process to apply revocations only once it serves requests.
  let takeEffect: TakeEffect = () => 0n;
  const revocations = isApi ? await deployment.followGivenUp((position) => takeEffect(position)) : NO_REVOCATIONS;
  const made = highestOf(appended, main.name);
  const from = revocations.from > made ? revocations.from : made;
  const lookup = { read: readers.asFolded, statuses, load: handle.load, from, isTold: revocations.isTold };
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
    main,
    logs: [main, results],
    keys: deployment.keys,
    artifacts,
    coordination,
    keySource,
    lastUses: lastUsesOf(assembly),
    announceGivenUp: revocations.announce,
    clock: facts.now,
    wallClock: clock.now,
    parts: () => parts.map((part) => part()),
  });
  closing.add('the HTTP server', http.stop);
  reserved.listening(http.listening);
  return http;
};

const pageHostsOf = ({ config, requestReaders, statuses }: Assembly): PageHosts =>
  createPageHosts({
    places: config,
    read: () => requestReaders.for({ appended: new Map() }),
    // In a cluster other processes write the pages.
    statuses: isCluster(config) ? null : statuses,
    clock: () => performance.now(),
  });

const lastUsesOf = ({ deployment, clock, troubles, closing }: Assembly): LastUses => {
  const lastUses = createLastUses({
    entries: deployment.coordination.entries,
    clock: clock.now,
    trouble: (error) => {
      troubles.tell('Cannot store when API keys were last used.', error);
    },
  });
  closing.add('the recorder of API key use', lastUses.stop);
  return lastUses;
};

/** The site, as configured for this process. */
const siteOf =
  ({ config }: Assembly): Surface =>
  (shared) =>
    siteEndpoints({ ...shared, frontDoor: config.frontDoor, docs: docsSource, sentModes: sentModesOf(config) });

/** Applies a position to several sources of access rights. */
const everywhere =
  (all: readonly TakeEffect[]): TakeEffect =>
  (position) =>
    all.map((takeEffect) => takeEffect(position)).reduce((one, other) => (other < one ? other : one));

/** The organizations created after a position of the log `main`. */
const organizationsAfter = async (main: EventStore, position: bigint): Promise<string[]> => {
  const found: string[] = [];
  for await (const events of untilEnd(main, position, ['organization'])) {
    for (const event of events as readonly OrganizationEvent[]) {
      if (event.type === 'OrganizationCreated') found.push(event.data.organization_id);
    }
  }
  return found;
};

/** For processes without an API: they neither receive nor announce revocations. */
const NO_REVOCATIONS: GivenUpHere = { announce: async () => undefined, isTold: () => true, from: 0n };
