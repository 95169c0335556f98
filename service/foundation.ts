import type { Logger } from 'pino';
import { RESPONSE_DEADLINE_MS } from '../http/deadline.ts';
import type { Appended } from '../commands/engine/appended-positions.ts';
import { createFactClock, type FactClock } from '../commands/engine/fact-clock.ts';
import { createHandle, type Handle } from '../commands/engine/handle.ts';
import { SELF_HOSTED, type Plans } from '../domain/organization/plans.ts';
import { instantOf } from '../domain/time.ts';
import { systemClock, type Clock } from '../network/clock.ts';
import { createReaders, type Readers } from '../projections/engine/readers.ts';
import type { Statuses } from '../projections/engine/status/statuses.ts';
import type { ReadStore } from '../stores/read-store/port.ts';
import { createCreditsTally, type CreditsTally } from '../runners/scheduler/credits.ts';
import { bootstrap, type AdminKey } from './bootstrap.ts';
import type { Shutdown } from './shutdown.ts';
import { isCluster, type Config } from './config/config.ts';
import type { Deployment } from './deployment.ts';
import { openEmbedded } from './embedded/open.ts';
import { newestIn } from './logs/log-time.ts';
import type { Plan } from './plan.ts';
import { createCreditSource } from './schedule/credit-source.ts';
import { openTracing } from './tracing/open-tracing.ts';
import { traceAppends } from './tracing/traced.ts';
import type { Tracing } from './tracing/tracing.ts';
import { createTroubleLog, type TroubleLog } from './trouble-log.ts';
import { version } from './version.ts';

/** The parts that every process has, whatever its duties. */
export interface Foundation {
  config: Config;
  plan: Plan;
  plans: Plans;
  logger: Logger;
  troubles: TroubleLog;
  closing: Shutdown;
  /** records what the process does; null: tracing is off */
  tracing: Tracing | null;
  deployment: Deployment;
  /** shows the time on which the stores agree */
  clock: Clock;
  /** shows the time for new events, which never goes back */
  facts: FactClock;
  handle: Handle;
  /** positions of events that were appended during the start, by log */
  appended: Appended;
  adminKey: AdminKey;
  readers: Readers;
  /** the readers that requests use */
  requestReaders: Readers;
  statuses: Statuses;
  credits: CreditsTally;
  /** promises that reject when the process can't continue */
  working: Promise<unknown>[];
}

export type FoundationOptions = Pick<Foundation, 'config' | 'plan' | 'logger' | 'closing'>;

/**
 * Maximum time that a read waits for a read model, in milliseconds. It ends before the deadline of the request, so that
 * the client gets a 503 that names the read model.
 */
const CATCH_UP_WITHIN_MS = RESPONSE_DEADLINE_MS - 500;

/** Opens the stores, creates the first organization at the first start, and starts following the read models. */
export const openFoundation = async (options: FoundationOptions): Promise<Foundation> => {
  const { config, plan, logger, closing } = options;
  const troubles = createTroubleLog(logger, systemClock);
  closing.add('the trouble log', troubles.stop);
  const tracing = await openTracing({ config, release: version, duties: [...plan.duties], logger });
  if (tracing) closing.add('the traces', tracing.stop);
  const opened = isCluster(config)
    ? await (await import('./cluster/open.ts')).openCluster(config, plan, { logger, troubles, closing })
    : await openEmbedded(config, { logger, troubles, closing });
  const deployment = tracing ? withTracedLogs(opened, tracing) : opened;
  const { main, results, logId } = deployment;
  const clock = deployment.storeClock?.clock ?? systemClock;
  const facts = createFactClock(clock.now);
  for (const log of [main, results]) {
    const newest = await newestIn(log);
    if (newest !== null) facts.observe(instantOf(newest));
  }
  const handle = createHandle({ store: main, clock: facts.now, observe: facts.observe });
  const appended: Appended = new Map();
  // Only a process that serves the API needs the admin key.
  const adminKey: AdminKey = plan.duties.has('api')
    ? await bootstrap({
        handle,
        logId,
        keyFile: deployment.adminKeyFile,
        adminApiKey: config.adminApiKey,
        appended,
      })
    : { kind: 'kept' };
  const base = { ...options, plans: config.plans ?? SELF_HOSTED, troubles, tracing, deployment, clock, facts, handle };
  return { ...base, appended, adminKey, ...(await followReadModels(base)) };
};

const withTracedLogs = (deployment: Deployment, tracing: Tracing): Deployment => ({
  ...deployment,
  main: traceAppends(deployment.main, tracing),
  results: traceAppends(deployment.results, tracing),
});

type Base = Pick<Foundation, 'config' | 'plans' | 'troubles' | 'closing' | 'deployment' | 'clock'>;

const followReadModels = async ({
  config,
  plans,
  troubles,
  closing,
  deployment,
  clock,
}: Base): Promise<Pick<Foundation, 'readers' | 'requestReaders' | 'statuses' | 'credits' | 'working'>> => {
  const { main, results, coordination } = deployment;
  const { readStore, requestStore, statuses, ended } = await deployment.startReadModels();
  const readersOf = (store: ReadStore): Readers =>
    createReaders({
      readStore: store,
      statuses,
      coordination,
      timeout: config.readYourWritesTimeoutMs,
      catchUpTimeout: CATCH_UP_WITHIN_MS,
      logs: { main, results },
    });
  const readers = readersOf(readStore);
  const requestReaders = requestStore === readStore ? readers : readersOf(requestStore);
  const credits = createCreditsTally({
    source: createCreditSource(readers, statuses),
    plans,
    log: main,
    clock,
    trouble: (error) => {
      troubles.report('Cannot read the credit usage.', error);
    },
  });
  closing.add('the credit tally', credits.stop);
  await credits.tried;
  return { readers, requestReaders, statuses, credits, working: [ended, credits.ended] };
};
