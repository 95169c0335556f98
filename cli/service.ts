import type { Logger } from 'pino';
import { createRegistry } from '../api/metrics.ts';
import { createHandle } from '../commands/handle.ts';
import { createCommands } from '../commands/index.ts';
import { REGIONS } from '../domain/check/regions.ts';
import { markLog } from '../projections/engine/log-marks.ts';
import { createReaders } from '../projections/engine/readers.ts';
import { createStatuses } from '../projections/engine/statuses.ts';
import { attachEngine } from '../projections/engine/thread.ts';
import { projections } from '../projections/index.ts';
import { runnersOfProcess } from '../runners/live-runners.ts';
import { checked } from '../stores/event-store/checked.ts';
import { openLog as idOfLog } from '../stores/event-store/identity.ts';
import { openThreadedReadStore } from '../stores/read-store/sqlite/threaded.ts';
import { lockService } from '../stores/service-lock.ts';
import { startThread } from '../stores/thread.ts';
import { bootstrap, type AdminKey } from './bootstrap.ts';
import { startCheckRuns } from './check-runs.ts';
import { TYPES } from './check-types.ts';
import { createCheckSource } from './check-source.ts';
import { createClosing } from './closing.ts';
import type { Config } from './config.ts';
import { makeDataDirectory } from './data-directory.ts';
import type { EngineThreadData } from './engine-thread.ts';
import { startHttp } from './http.ts';
import { checkMetrics, observeState } from './metrics.ts';
import { startReactors } from './reactors.ts';
import { startRetention } from './retention.ts';
import { openCoordination, openKeys, openRawLog } from './stores.ts';
import { startUpkeep } from './upkeep.ts';

/** The running service of an embedded deployment. */
export interface Service {
  /** `http://127.0.0.1:3000` */
  address: string;
  /** absolute path of the data directory */
  dataDirectory: string;
  adminKey: AdminKey;
  /** Resolves with what makes it impossible to go on; the caller stops the service then. */
  failed: Promise<Error>;
  /** Takes no new requests, finishes those in flight, stores all checkpoints and closes everything. */
  stop: () => Promise<void>;
}

/**
 * Opens everything of an embedded deployment and puts it together (design.md: One code base, two
 * deployments). Nothing folds the log here: the time it takes does not grow with what is stored.
 *
 * @throws Error in a sentence: the directory is in use or can't be written to, a newer release wrote
 *   it, the port is taken
 */
export const startService = async (config: Config, logger: Logger): Promise<Service> => {
  const closing = createClosing((name, error) => {
    logger.error({ err: error }, `${name} could not be closed`);
  });
  try {
    return await open(config, logger, closing);
  } catch (error) {
    await closing.close();
    throw error;
  }
};

const open = async (config: Config, logger: Logger, closing: ReturnType<typeof createClosing>): Promise<Service> => {
  const directory = makeDataDirectory(config.dataDir);
  const lock = lockService(directory.path);
  closing.add('the lock', lock.release);

  // Each starts a thread, so they start side by side.
  const opening = [openRawLog(directory, 'main', 'service'), openRawLog(directory, 'results', 'service')] as const;
  for (const log of opening) closing.add('a log', () => log.then(closeStore, wasNotOpened));
  const [mainFile, resultsFile] = await Promise.all(opening);
  const main = checked(mainFile);
  const results = checked(resultsFile);
  const keys = openKeys(directory, config);
  closing.add('the keys', () => keys.close());
  const coordination = openCoordination(directory);
  closing.add('coordination', () => coordination.close());
  // This is the only service on the directory, so whoever made these claims was killed before it could answer.
  await coordination.abandonAll();

  const logId = await idOfLog(main);
  await idOfLog(results);
  const handle = createHandle({ store: main, clock: Date.now });
  const adminKey = await bootstrap({ handle, logId, directory, adminApiKey: config.adminApiKey });

  const [markOfMain, markOfResults] = await Promise.all([markLog(main, Date.now()), markLog(results, Date.now())]);
  const workerData: EngineThreadData = {
    directory,
    marks: { main: markOfMain, results: markOfResults },
    retentionDays: config.resultRetentionDays,
  };
  const statuses = createStatuses(projections);
  const engine = attachEngine(startThread('./engine-thread', import.meta.url, { workerData, name: 'engine' }), {
    statuses,
    log: ({ level, message, fields }) => {
      logger[level](fields, message);
    },
  });
  closing.add('the projection engine', engine.stop);
  // Until then a read model may be one of another log, as after a restored backup.
  await Promise.race([statuses.checked(), engine.ended]);

  const readStore = openThreadedReadStore({ directory: directory.readModels });
  closing.add('the read models', () => readStore.close());
  const readers = createReaders({ readStore, statuses, coordination, timeout: config.readYourWritesTimeoutMs });
  const regions = config.regions ?? REGIONS;
  const runners = runnersOfProcess(
    regions,
    TYPES.map(({ type }) => type),
  );
  const commands = createCommands({ handle, keys, runners });

  const reactors = startReactors({ handle, results, readers, statuses, coordination, logger });
  closing.add('the reactors', reactors.stop);

  closing.add('the upkeep', startUpkeep(coordination, logger));

  const { resultRetentionDays: retentionDays } = config;
  closing.add('retention', startRetention({ results: resultsFile, retentionDays, logger, clock: Date.now }));

  const registry = createRegistry();
  const checks = createCheckSource(readers, statuses);
  const metrics = checkMetrics(registry);
  const checkRuns = startCheckRuns({ config, logId, regions, checks, main, results, keys, metrics, logger });
  closing.add('the check runs', checkRuns.stop);
  observeState(registry, statuses, checkRuns.queue);

  const logs = [main, results];
  const http = await startHttp({ config, logs, keys, coordination, commands, readers, statuses, registry, logger });
  closing.add('the HTTP server', http.stop);

  return {
    address: http.address,
    dataDirectory: directory.path,
    adminKey,
    failed: Promise.race([engine, checkRuns, reactors].map(({ ended }) => failureOf(ended))),
    stop: closing.close,
  };
};

const closeStore = (store: { close: () => Promise<void> }): Promise<void> => store.close();
const wasNotOpened = (): void => undefined;

/** What a promise rejects with; never resolves when it does not. */
const failureOf = (promise: Promise<unknown>): Promise<Error> =>
  new Promise((resolve) => {
    promise.catch((error: unknown) => {
      resolve(error instanceof Error ? error : new Error(String(error)));
    });
  });
