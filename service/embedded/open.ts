import { markLog } from '../../projections/engine/feed/log-marks.ts';
import { readUntilEnd } from '../../projections/engine/feed/log-end.ts';
import { createStatuses } from '../../projections/engine/status/statuses.ts';
import { projectionKey } from '../../projections/engine/fold/define.ts';
import { createDocumentCache } from '../../projections/engine/document-cache.ts';
import { attachEngine } from '../../projections/engine/thread.ts';
import { projections } from '../../projections/index.ts';
import { runnersOfProcess } from '../../runners/worker/live-runners.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { announceGrowth } from '../../stores/event-store/sqlite/growth.ts';
import { openThreadedReadStore } from '../../stores/read-store/sqlite/threaded.ts';
import { lockService } from '../../stores/service-lock.ts';
import { startThread } from '../../stores/thread.ts';
import { openInProcessQueue } from '../../stores/work-queue/in-process.ts';
import { finishRestore } from './finish-restore.ts';
import type { TakeEffect } from '../../api/key-source.ts';
import type { WorkQueue } from '../../stores/work-queue/port.ts';
import type { Shutdown } from '../shutdown.ts';
import type { Config } from '../config/config.ts';
import { findLeftovers, makeDataDirectory, type DataDirectory } from './data-directory.ts';
import type { Deployment, Opening, ReadModels } from '../deployment.ts';
import { watchDiskSpace } from './disk-space.ts';
import type { EngineThreadData } from './engine-thread.ts';
import { recognizeLogs } from '../logs/log-identity.ts';
import { logTimeOf } from '../logs/log-time.ts';
import { serveCommands, LOG_GROWN, PROJECTIONS_SERVED, REACTOR_REQUESTED, TAKE_EFFECT } from '../command-socket.ts';
import { readQueues } from '../run/queues.ts';
import { startClientRetention } from '../logs/client-retention.ts';
import { startLogHeads } from '../logs/log-heads.ts';
import { startRetention } from '../logs/retention.ts';
import { createLocalLink } from '../run/run-link.ts';
import { openArtifacts, openCoordination, openKeys, openRawLog } from './stores.ts';
import { engineLog } from '../trouble-log.ts';

/**
 * Opens the data directory of an embedded deployment as its only service. Does not process the log, so the duration
 * does not grow with the amount of data.
 *
 * @throws Error explains the problem: the directory is in use, is not writable, or was written by a newer release
 */
export const openEmbedded = async (config: Config, { logger, troubles, closing }: Opening): Promise<Deployment> => {
  const directory = makeDataDirectory(config.dataDir);
  // The disk is checked first, because even the lock needs space.
  const disk = watchDiskSpace(directory.path, (message) => {
    logger.warn(message);
  });
  closing.add('the disk watch', disk.stop);
  const lock = lockService(directory.path);
  closing.add('the lock', lock.release);
  for (const line of finishRestore(directory.path)) logger.warn(line);

  const stores = await openStores(directory, config, closing);
  const { main, results, logId, keys, artifacts, coordination } = stores;
  // No other service uses the directory. Therefore, a remaining claim is from a process that was killed before it
  // completed the command.
  await coordination.abandonAll();
  const queue = openInProcessQueue();
  closing.add('the queue of runs', () => queue.close());
  const commands = await answerCommands(directory, queue, { logger, closing });

  return {
    location: directory.path,
    main: disk.guard(main),
    results: disk.guard(results),
    logId,
    keys,
    artifacts,
    coordination,
    queue,
    storeClock: null,
    adminKeyFile: directory.adminApiKey,
    startReadModels: () => startReadModels(directory, { main, results }, { logger, troubles, closing }),
    liveRunners: runnersOfProcess,
    // An embedded deployment has no other processes to inform.
    announce: () => undefined,
    announceRemote: () => ({ now: () => undefined, stop: async () => undefined }),
    followRevocations: async (take) => {
      const from = commands.takingEffect(take);
      // An embedded deployment has no other processes. The read models of this process reach the end of the log before
      // they count as live, so they are always current.
      return { announce: async () => undefined, isCurrent: () => true, from };
    },
    runnerIdentity: logId,
    link: (_readers, credits) => createLocalLink(credits),
    // No watch is necessary, because the engine of this process reports its progress.
    logWatches: null,
    onReactorRequest: commands.onReactorsAsked,
    startUpkeep: () => startUpkeep(stores, config, { logger, closing }),
  };
};

type Stores = Awaited<ReturnType<typeof openStores>>;

const openStores = async (directory: DataDirectory, config: Config, closing: Shutdown) => {
  // Each log starts a thread, so the logs are opened concurrently.
  const opening = [openRawLog(directory, 'main', 'service'), openRawLog(directory, 'results', 'service')] as const;
  for (const log of opening) closing.add('a log', () => log.then(closeStore, wasNotOpened));
  const [mainFile, resultsFile] = await Promise.all(opening);
  const main = createCheckedStore(mainFile);
  const results = createCheckedStore(resultsFile);
  const coordination = openCoordination(directory);
  closing.add('coordination', () => coordination.close());
  // Must be read before this start writes anything to the log.
  const logTime = await logTimeOf(results);
  const leftBehind = (): string | null => findLeftovers(directory);
  const { logId, isNew } = await recognizeLogs({ main, results, coordination, prefix: null, leftBehind });
  const keys = openKeys(directory, config, isNew ? 'made' : 'refused');
  closing.add('the keys', () => keys.close());
  await keys.bind(logId);
  const artifacts = openArtifacts(directory, config);
  closing.add('the artifacts', () => artifacts.close());
  return { mainFile, resultsFile, main, results, coordination, logTime, logId, keys, artifacts };
};

/** Handlers for requests of commands that run on the same data directory. */
interface CommandsHere {
  onReactorsAsked: Deployment['onReactorRequest'];
  /**
   * Registers the function with which the API applies revocations.
   *
   * @returns the position that must be applied before the first request
   */
  takingEffect: (takeEffect: TakeEffect) => bigint;
}

const answerCommands = async (
  directory: DataDirectory,
  queue: Pick<WorkQueue, 'depths' | 'parked'>,
  { logger, closing }: Pick<Opening, 'logger' | 'closing'>,
): Promise<CommandsHere> => {
  const reactorsAsked = new Set<() => void>();
  /**
   * the highest position that was requested before the API starts; the API must apply the log up to it before the first
   * request
   */
  let inEffect = 0n;
  let takeEffect = (position: bigint): bigint => (inEffect = position > inEffect ? position : inEffect);
  const questions = {
    '/queue': () => readQueues(queue),
    [TAKE_EFFECT]: async (parameters: URLSearchParams) =>
      takeEffect(BigInt(parameters.get('position') ?? '')).toString(),
    [PROJECTIONS_SERVED]: async () => projections.map(projectionKey),
    [LOG_GROWN]: async () => {
      announceGrowth('main', directory.events);
      announceGrowth('results', directory.results);
      return null;
    },
    [REACTOR_REQUESTED]: async () => {
      for (const notify of reactorsAsked) notify();
      return null;
    },
  };
  try {
    closing.add('the command socket', await serveCommands(directory, questions));
  } catch (error) {
    logger.warn({ err: error }, 'commands cannot reach this service');
  }
  return {
    takingEffect: (take) => {
      takeEffect = take;
      return inEffect;
    },
    onReactorsAsked: (callback) => {
      reactorsAsked.add(callback);
      return () => reactorsAsked.delete(callback);
    },
  };
};

const startReadModels = async (
  directory: DataDirectory,
  { main, results }: Pick<Stores, 'main' | 'results'>,
  { logger, troubles, closing }: Opening,
): Promise<ReadModels> => {
  const [markOfMain, markOfResults] = await Promise.all([markLog(main, Date.now()), markLog(results, Date.now())]);
  const marks = { main: markOfMain, results: markOfResults };
  const workerData: EngineThreadData = { directory, marks };
  const logs = { main, results };
  const statuses = createStatuses(projections, undefined, {
    marks,
    after: (name, position) => readUntilEnd(logs[name], position),
  });
  const engine = attachEngine(startThread('./engine-thread', import.meta.url, { workerData, name: 'engine' }), {
    statuses,
    log: engineLog(logger, troubles),
  });
  closing.add('the projection engine', engine.stop);
  // Until this check is done, a read model may belong to another log, for example after a backup was restored.
  await Promise.race([statuses.checked(), engine.ended]);
  const readStore = openThreadedReadStore({ directory: directory.readModels });
  const recent = createDocumentCache(readStore, statuses);
  closing.add('the read models', () => {
    recent.stop();
    return readStore.close();
  });
  return { readStore, requestStore: recent.store, statuses, ended: engine.ended };
};

const startUpkeep = async (
  { mainFile, resultsFile, coordination, artifacts, keys, logTime }: Stores,
  { resultRetentionDays: retentionDays, auditClientRetentionMonths: months }: Config,
  { logger, closing }: Pick<Opening, 'logger' | 'closing'>,
): Promise<void> => {
  const clock = Date.now;
  const options = { coordination, results: resultsFile, artifacts, retentionDays, logger, clock, logTime };
  closing.add('retention', await startRetention(options));
  const ofClients = { coordination, keys, months, logger, clock, logTime };
  closing.add('the retention of client addresses', (await startClientRetention(ofClients)).stop);
  closing.add('the log heads', startLogHeads({ log: mainFile, coordination, clock, logger }));
};

const closeStore = (store: { close: () => Promise<void> }): Promise<void> => store.close();
const wasNotOpened = (): void => undefined;
