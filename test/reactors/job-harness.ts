import type { Logger } from 'pino';
import { runsOnDemand } from '../../service/run/runs-on-demand.ts';
import { createHandle } from '../../commands/engine/handle.ts';
import { runReactor } from '../../reactors/engine/loop.ts';
import type { EventOf } from '../../domain/event-types.ts';
import { regionOf, type Region } from '../../domain/check/regions.ts';
import type { StartRun } from '../../domain/check/run.ts';
import type { Outcome } from '../../probes/engine/check-type.ts';
import { createBatches } from '../../stores/event-store/batches.ts';
import { createStartRun } from '../../runners/scheduler/start-run.ts';
import { createWorker } from '../../runners/worker/worker.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { openInProcessQueue } from '../../stores/work-queue/in-process.ts';
import { startService } from '../api/service.ts';
import { SERVER } from '../domain/check-result/examples.ts';
import { ProcessDied } from '../commands/simulated-processes.ts';
import { reactorsOf } from './context.ts';
import { shortPause } from './reactor-harness.ts';
import { eventually } from '../waiting.ts';

export const START = Date.UTC(2026, 10, 20, 15);

type Result = EventOf<'CheckRunCompleted'>['data'];

const region = (name: string): Region => {
  const found = regionOf(name);
  if (!found) throw new Error(`There is no region ${name}.`);
  return found;
};
const MOSCOW = region('RU, Moscow');
export const SERVED_REGIONS = [MOSCOW, region('EU, West'), region('IN, Mumbai')] as const;

/** A job in the API's representation. */
export interface ShownJob {
  id: string;
  check_id: string | null;
  status: string;
  created_at: string;
  started_at: string | null;
  completed_at: string | null;
  error_message: string | null;
  result: Record<string, unknown> | null;
}

export const ok: Outcome = {
  status: 'ok',
  reason: null,
  response_time: 12,
  error_message: null,
  check_metadata: { connected: true },
};

export const refused: Outcome = {
  status: 'down',
  reason: 'connect',
  response_time: null,
  error_message: 'Connection refused by 127.0.0.1:81.',
  check_metadata: { connected: false },
};

/** Options of a process. */
export interface ProcessOptions {
  /** regions with a live runner; default: all three */
  served?: readonly Region[];
  /** the outcome of a run in a region; default: ok */
  probe?: (regionId: string) => Promise<Outcome>;
  /**
   * number of appends after which the process dies; the final append is still stored; by default the process does not
   * die
   */
  lives?: number;
  /** names of the reactors that run; default: all */
  reactors?: readonly string[];
  startRun?: (startRun: StartRun) => StartRun;
  /** whether the reactors of the process consider the queue durable; default: no */
  queueIsDurable?: boolean;
  /** called before each read; if the function throws, the read throws */
  reading?: () => void;
}

/** Returns readers that call a function before each read. */
const withEach = <R extends Record<string, object>>(readers: R, before: () => void): R =>
  Object.fromEntries(
    Object.entries(readers).map(([name, reader]) => [
      name,
      Object.fromEntries(
        Object.entries(reader as Record<string, (...parameters: unknown[]) => unknown>).map(([method, ask]) => [
          method,
          async (...parameters: unknown[]) => {
            before();
            return ask(...parameters);
          },
        ]),
      ),
    ]),
  ) as R;

/** Starts the API of a service, and creates processes that run its jobs one after another. */
export const openJobHarness = async () => {
  const service = await startService({ now: START, regions: SERVED_REGIONS });
  const { stores, readers, statuses, time, keys } = service;
  const coordination = createMemoryCoordination();
  const logged: string[] = [];

  /** Returns a log as seen by a process that dies. Calls after its death fail. */
  const mortal = (store: EventStore, life: { left: number }): EventStore => ({
    ...store,
    name: store.name,
    append: async (...parameters) => {
      if (life.left <= 0) throw new ProcessDied('The process has died.');
      const appended = await store.append(...parameters);
      life.left -= 1;
      if (life.left <= 0) throw new ProcessDied('The process has died.');
      return appended;
    },
    readStream: async (...parameters) => {
      if (life.left <= 0) throw new ProcessDied('The process has died.');
      return store.readStream(...parameters);
    },
  });

  /** Returns the coordination store of a process that dies. Writes after its death fail. */
  const mortalCoordination = (life: { left: number }): Coordination => {
    const alive =
      <T extends unknown[]>(write: (...parameters: T) => Promise<void>) =>
      async (...parameters: T): Promise<void> => {
        if (life.left <= 0) throw new ProcessDied('The process has died.');
        await write(...parameters);
      };
    const { failedItems } = coordination;
    return {
      ...coordination,
      failedItems: {
        ...failedItems,
        store: alive((...parameters: Parameters<typeof failedItems.store>) => failedItems.store(...parameters)),
        remove: alive((...parameters: Parameters<typeof failedItems.remove>) => failedItems.remove(...parameters)),
      },
      write: alive((...parameters: [string, string]) => coordination.write(...parameters)),
    };
  };

  /** Starts a process with its own queue, which is lost when the process ends. */
  const start = (options: ProcessOptions = {}) => {
    const { served = SERVED_REGIONS, probe = async () => ok, lives = Infinity, reactors } = options;
    const life = { left: lives };
    const [main, results] = [mortal(stores.main, life), mortal(stores.results, life)];
    const clock = {
      now: () => time.now,
      monotonic: () => performance.now(),
      after: (milliseconds: number, callback: () => void) => {
        const timer = setTimeout(callback, milliseconds);
        return () => {
          clearTimeout(timer);
        };
      },
    };
    const queue = openInProcessQueue({ now: clock.now });
    const credits = { charge: () => undefined, settle: () => undefined };
    const batches = createBatches({ log: results, after: clock.after, limits: { enough: 5 } });
    const given = createStartRun({ queue, results: batches, clock, credits, defaultRegion: MOSCOW });
    const startRun = options.startRun?.(given) ?? given;
    const handle = createHandle({ store: main, clock: clock.now, pause: async () => undefined });
    const warn = (...[fields, message]: unknown[]): void => {
      logged.push(`warn: ${String(message)} ${JSON.stringify(fields)}`);
    };
    const onDemand = runsOnDemand({ handle, readers, clock: clock.now, logger: { warn } as Pick<Logger, 'warn'> });
    const workers = served.map((servedRegion) =>
      createWorker({
        region: servedRegion,
        server: () => SERVER,
        probes: { types: ['web'], run: () => probe(servedRegion.id) },
        queue,
        results: batches,
        keys,
        secretsOf: async () => [],
        clock,
        concurrency: 10,
        wanted: () => true,
        ...onDemand,
      }),
    );
    for (const worker of workers) worker.start();
    const stop = new AbortController();
    const reading: Pick<typeof readers, 'for' | 'sure' | 'foldedAll'> = {
      sure: readers.sure,
      foldedAll: readers.foldedAll,
      for: (context) => {
        const read = readers.for(context);
        return (projection) => withEach(read(projection), options.reading ?? (() => undefined));
      },
    };
    const { queueIsDurable = false } = options;
    const running = reactorsOf({ handle, main, results, startRun, queueIsDurable, readers: reading, statuses })
      .filter(({ name }) => reactors?.includes(name) ?? true)
      .map((reactor) =>
        runReactor(reactor, {
          coordination: mortalCoordination(life),
          clock: clock.now,
          log: (level, message, fields) => logged.push(`${level}: ${message} ${JSON.stringify(fields)}`),
          signal: stop.signal,
          timings: { retry: 1, halted: 1, spacing: 0 },
        }),
      );
    return {
      queue,
      /** Resolves when the process can append no more. */
      died: async (): Promise<void> => {
        await eventually(() => life.left <= 0);
      },
      /** Ends the process, whatever it is doing. */
      end: async (): Promise<void> => {
        life.left = 0;
        stop.abort();
        await Promise.all(running);
        for (const worker of workers) await worker.stop();
        await queue.close();
      },
    };
  };

  const job = async (id: string): Promise<ShownJob> =>
    (await service.request('GET', `/v1/checks/jobs/${id}`)).json() as ShownJob;

  const post = async (path: string, body?: object): Promise<string> => {
    const reply = await service.request('POST', path, { ...(body && { body }) });
    if (reply.status !== 202) throw new Error(`POST ${path} answered ${reply.status}: ${reply.text}`);
    return (reply.json() as { job_id: string }).job_id;
  };

  const eventsOf = async (log: EventStore) => log.readAll({ after: 0n });

  return {
    service,
    time,
    logged,
    start,
    job,
    /** Creates a check without a schedule. */
    check: async (parameters: object = {}): Promise<string> => {
      const body = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:81/', interval: 60, active: false, parameters };
      const reply = await service.request('POST', '/v1/checks', { body });
      if (reply.status !== 201) throw new Error(reply.text);
      return (reply.json() as { id: string }).id;
    },
    /** Runs a check on demand. @returns the id of the job */
    execute: (checkId: string): Promise<string> => post(`/v1/checks/${checkId}/execute`),
    /** Runs an unsaved definition on demand. @returns the id of the job */
    executeDefinition: (fields: object = {}): Promise<string> =>
      post('/v1/checks/execute', { name: 'By hand', type: 'web', url: 'http://127.0.0.1:81/', ...fields }),
    /** Polls a job as a client does, and returns the job when it has one of the wanted statuses. */
    became: (id: string, ...wanted: string[]): Promise<ShownJob> =>
      eventually(async () => {
        const seen = await job(id);
        return wanted.includes(seen.status) && seen;
      }),
    /** Resolves when the run of a job was added to the queues of its regions. */
    handedOver: async (id: string): Promise<void> => {
      await eventually(async () =>
        (await stores.main.readStream(`job-${id}`)).some(({ type }) => type === 'JobOffered'),
      );
    },
    /** Changes the lists of reactors, which makes them read the clock. */
    stir: async (): Promise<void> => {
      const other = await post('/v1/checks/execute', { name: 'Other', type: 'web', url: 'http://127.0.0.1:82/' });
      await job(other);
      await shortPause();
    },
    /** Returns the types of the events of a job. */
    history: async (id: string): Promise<string[]> =>
      (await stores.main.readStream(`job-${id}`)).map(({ type }) => type),
    /** Returns the results of a job in the log, including repeated ones. */
    results: async (id: string): Promise<Result[]> =>
      (await eventsOf(stores.results))
        .filter(({ type }) => type === 'CheckRunCompleted')
        .map(({ data }) => data as Result)
        .filter(({ execution_id }) => execution_id === id),
    stop: service.stop,
  };
};
