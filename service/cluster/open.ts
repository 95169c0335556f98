import { hostname } from 'node:os';
import { followStatuses } from '../../projections/engine/status/followed-statuses.ts';
import { markLog } from '../../projections/engine/feed/log-marks.ts';
import { runEngine } from '../../projections/engine/run.ts';
import { projections } from '../../projections/index.ts';
import { openGridFsArtifacts } from '../../stores/artifacts/gridfs/open.ts';
import { openMongoCoordination } from '../../stores/coordination/mongodb/open.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { openEventStoreDb } from '../../stores/event-store/eventstoredb/open.ts';
import type { EventStore, LogWatch } from '../../stores/event-store/port.ts';
import { openMongoKeys } from '../../stores/keys/mongodb.ts';
import { openMongoDb } from '../../stores/mongodb/open.ts';
import { serverTime } from '../../stores/mongodb/time.ts';
import type { ReadStore } from '../../stores/read-store/port.ts';
import { openMongoReadStore } from '../../stores/read-store/mongodb/open.ts';
import { openEventStoreDbQueue } from '../../stores/work-queue/eventstoredb/open.ts';
import { announceApi } from './api-presence.ts';
import { followRevocations } from './revocations.ts';
import { createClusterLink } from './link.ts';
import { artifactLimits } from '../artifact-limits.ts';
import type { ClusterConfig } from '../config/config.ts';
import type { Deployment, Opening, ReadModels } from '../deployment.ts';
import { recognizeLogs } from '../logs/log-identity.ts';
import { logTimeOf } from '../logs/log-time.ts';
import { watchLog } from '../../stores/event-store/log-watch.ts';
import { needsRightClock, servesPages, type Plan } from '../plan.ts';
import { storeQuietEnds, recallQuietEnd } from './quiet-ends.ts';
import { watchReactorRequests } from './reactor-requests.ts';
import { startClientRetention } from '../logs/client-retention.ts';
import { startLogHeads } from '../logs/log-heads.ts';
import { startRetention } from '../logs/retention.ts';
import { announceRemote, announceRunner, followRunners } from './runner-presence.ts';
import { checkRights, logAvailability } from './server-availability.ts';
import { followStoreClock } from './store-clock.ts';
import { watchedCategories } from '../../reactors/index.ts';
import { engineLog } from '../trouble-log.ts';
import { aborted, runUnderLease } from './under-lease.ts';

/**
 * Polling interval for the positions of read models, in milliseconds. Used in processes without an API, where no
 * request waits for a position.
 */
const IDLE_POLL_MS = 1_000;
/**
 * Interval in which an engine announces that it is running, in milliseconds. It is long enough that an engine does not
 * count as dead when it pauses briefly.
 */
const BEAT_MS = 5_000;

/**
 * Connects a process of a cluster to EventStoreDB and MongoDB.
 *
 * @throws Error explains the problem: a URL is invalid, or SECRETS_KEY differs from the key of the first start
 */
export const openCluster = async (config: ClusterConfig, plan: Plan, opening: Opening): Promise<Deployment> => {
  const { closing } = opening;
  const stores = await openStores(config, plan, opening);
  const { main, results, logId, keys, artifacts, coordination, queue, storeClock } = stores;
  await storeClock.begin(needsRightClock(plan));
  const identity = `${hostname()}.${process.pid}`;
  const logWatches = watchLogs(stores, opening.troubles);
  return {
    location: 'EventStoreDB and MongoDB',
    main,
    results,
    logId,
    keys,
    artifacts,
    coordination,
    queue,
    storeClock,
    adminKeyFile: null,
    startReadModels: () => startReadModels(stores, plan, opening),
    startUpkeep: async () => {
      startUpkeep(stores, config, opening);
    },
    liveRunners: (served) => {
      const runners = followRunners({ coordination, served });
      closing.add('the list of live runners', runners.stop);
      return runners;
    },
    announceRemote: (presences) => announceRemote(coordination, presences),
    runnerIdentity: identity,
    announce: (regions, types) => {
      closing.add('the announcement of this runner', announceRunner({ coordination, identity, regions, types }));
    },
    followRevocations: async (takeEffect) => {
      closing.add('the announcement of this API process', await announceApi({ coordination, identity, takeEffect }));
      const { entries } = coordination;
      const { announce, isCurrent, stop } = await followRevocations({ entries, takeEffect, now: storeClock.clock.now });
      closing.add('the poller for revocations', stop);
      return { announce, isCurrent, from: await markLog(main, Date.now()) };
    },
    link: (readers, credits, { repeated }) =>
      createClusterLink({ results: logWatches.results, readers, credits, repeated }),
    logWatches,
    // Reactors notice requests by polling.
    onReactorRequest: watchReactorRequests(coordination),
  };
};

type Stores = Awaited<ReturnType<typeof openStores>>;

const openStores = async (config: ClusterConfig, plan: Plan, { logger, closing }: Opening) => {
  const mongoDb = openMongoDb(config.mongoDbUrl, {}, { watch: logAvailability('MongoDB', logger) });
  closing.add('MongoDB', () => mongoDb.close());
  const { eventStoreDbUrl, eventStoreDbPrefix: prefix, resultRetentionDays } = config;
  const watch = logAvailability('EventStoreDB', logger);
  const eventStoreDb = openEventStoreDb(eventStoreDbUrl, { prefix, resultRetentionDays, watch });
  closing.add('EventStoreDB', () => eventStoreDb.close());
  const main = createCheckedStore(eventStoreDb.main);
  const results = createCheckedStore(eventStoreDb.results);
  const storeClock = followStoreClock({ storeTime: () => serverTime(mongoDb.db), logger });
  closing.add('the clock comparison', async () => {
    storeClock.stop();
  });
  const coordination = openMongoCoordination(mongoDb, undefined, storeClock.clock.now);
  closing.add('coordination', () => coordination.close());
  // Must be read before this start writes anything to the log.
  const logTime = await logTimeOf(results);
  const { logId } = await recognizeLogs({ main, results, coordination, prefix });
  const logs = [eventStoreDb.main, eventStoreDb.results];
  for (const log of logs) await recallQuietEnd(log, coordination);
  closing.add('the recorder of log ends', storeQuietEnds({ logs, coordination, logger }));
  const keys = await openMongoKeys(mongoDb, { wrappingKey: config.secretsKey });
  closing.add('the keys', () => keys.close());
  const artifacts = openGridFsArtifacts(mongoDb, { limits: artifactLimits(config) });
  closing.add('the artifacts', () => artifacts.close());
  const queue = openEventStoreDbQueue(eventStoreDbUrl, { prefix, watch });
  closing.add('the queue of runs', () => queue.close());
  await checkRights(eventStoreDb, queue, plan.duties);
  const logsHere = { rawMain: eventStoreDb.main, main, results, logTime, logId };
  return { mongoDb, ...logsHere, keys, artifacts, coordination, queue, storeClock };
};

const watchLogs = ({ main, results }: Stores, troubles: Opening['troubles']): { main: LogWatch; results: LogWatch } => {
  const watched = (store: EventStore, name: 'main' | 'results'): LogWatch =>
    watchLog({
      log: store,
      end: () => markLog(store, Date.now()),
      categories: watchedCategories(name),
      failed: (error) => {
        troubles.report(
          `Cannot follow the log ${name}. Until that works again, runs count as under way until they time out.`,
          error,
        );
      },
    });
  return { main: watched(main, 'main'), results: watched(results, 'results') };
};

const startReadModels = async (stores: Stores, plan: Plan, opening: Opening): Promise<ReadModels> => {
  const { mongoDb, main, results, coordination, storeClock } = stores;
  const { logger, troubles, closing } = opening;
  const readStore = openMongoReadStore(mongoDb);
  closing.add('the read models', () => readStore.close());
  const { ended } = plan.duties.has('project') ? await startEngine(stores, plan, readStore, opening) : NO_ENGINE;
  const { statuses, stop } = followStatuses({
    projections,
    stores: { main, results },
    readStore,
    coordination,
    log: engineLog(logger, troubles),
    clock: storeClock.clock.now,
    // If a process serves no requests, no client waits for its own writes to become visible, so slow polling is enough.
    ...(!servesPages(plan) && { timings: { watched: IDLE_POLL_MS, idle: IDLE_POLL_MS } }),
  });
  closing.add('the statuses of the read models', stop);
  // Writes of other processes become visible before this process learns of them, so documents must not be cached.
  return { readStore, requestStore: readStore, statuses, ended };
};

/** Replaces the engine in processes without one. The promise never settles. */
const NO_ENGINE = { ended: new Promise<unknown>(() => undefined) };

const startEngine = async (
  { main, results, coordination, storeClock }: Stores,
  plan: Plan,
  readStore: ReadStore,
  { logger, troubles, closing }: Opening,
): Promise<{ ended: Promise<unknown> }> => {
  const [markOfMain, markOfResults] = await Promise.all([markLog(main, Date.now()), markLog(results, Date.now())]);
  const stop = new AbortController();
  const ended = runEngine({
    projections: plan.projections,
    release: projections,
    clock: storeClock.clock.now,
    stores: { main, results },
    marks: { main: markOfMain, results: markOfResults },
    readStore,
    coordination,
    onStatus: () => undefined,
    log: engineLog(logger, troubles),
    signal: stop.signal,
    timings: { beat: BEAT_MS },
    positionsFollowed: true,
  });
  closing.add('the projection engine', async () => {
    stop.abort();
    await ended;
  });
  return { ended };
};

const startUpkeep = (
  { rawMain, coordination, artifacts, keys, logTime }: Stores,
  { resultRetentionDays: retentionDays, auditClientRetentionMonths: months }: ClusterConfig,
  { logger, troubles, closing }: Opening,
): void => {
  const stop = new AbortController();
  const trouble = (error: unknown): void => {
    troubles.report('Cannot determine which process manages the retention of results.', error);
  };
  const retention = runUnderLease({ coordination, name: 'retention', signal: stop.signal, trouble }, async (over) => {
    const clock = Date.now;
    // EventStoreDB expires results by its own clock, so `results` is null here. The retention time that this task
    // determines only affects the read models and the artifacts.
    const end = await startRetention({ coordination, results: null, artifacts, retentionDays, logger, clock, logTime });
    const ofClients = { coordination, keys, months, logger, clock, logTime };
    const { stop: endOfClients } = await startClientRetention(ofClients);
    const endOfHeads = startLogHeads({ log: rawMain, coordination, clock, logger });
    await aborted(over);
    await Promise.all([end(), endOfClients(), endOfHeads()]);
  });
  closing.add('retention', async () => {
    stop.abort();
    await retention;
  });
};
