import type { CheckTypeName } from '../../../domain/check/events.ts';
import { regionOf } from '../../../domain/check/regions.ts';
import { createTargetPolicy } from '../../../domain/target/policy.ts';
import type { Outcome, Run } from '../../../probes/engine/check-type.ts';
import { createRunCache } from '../../../probes/engine/run-cache.ts';
import type { RunMessage } from '../../../runners/run-message.ts';
import { createBatches } from '../../../stores/event-store/batches.ts';
import { NO_REGISTRIES } from '../../probes/run-context.ts';
import { createWorker, type WorkerDependencies } from '../../../runners/worker/worker.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import type { Keys } from '../../../stores/keys/port.ts';
import type { QueuedRun } from '../../../stores/work-queue/port.ts';
import { openInProcessQueue } from '../../../stores/work-queue/in-process.ts';
import { CHECK, ORGANIZATION } from '../../domain/check/examples.ts';
import { SERVER } from '../../domain/check-result/examples.ts';
import { fakeClock, settled } from '../../network/fake-clock.ts';

export const START = Date.UTC(2026, 10, 20, 15);

export const good: Outcome = {
  status: 'ok',
  reason: null,
  response_time: 12,
  error_message: null,
  check_metadata: { connected: true },
};

export const bad: Outcome = {
  status: 'down',
  reason: 'connect',
  response_time: null,
  error_message: 'Connection refused by 127.0.0.1:81.',
  check_metadata: { connected: false },
};

export const message = (fields: Partial<RunMessage> = {}, parameters: Record<string, unknown> = {}): RunMessage => ({
  check_id: CHECK,
  organization_id: ORGANIZATION,
  slot: START,
  result_type: 'regular',
  execution_id: null,
  execution_group_id: null,
  answer_by: null,
  definition: { type: 'web', url: 'http://127.0.0.1:81/', host: null, port: null, timeout: 10, parameters },
  ...fields,
});

/** Overrides of dependencies. `log` stores the results, and `types` are the check types that can be run. */
export interface Staged extends Partial<WorkerDependencies> {
  log?: Pick<EventStore, 'append' | 'readStream'>;
  types?: readonly CheckTypeName[];
  keys?: Keys;
}

/** Creates a worker with a queue and a log in memory, and with a probe that the test controls. */
export const stage = (
  run: Run,
  { log: requested, types = ['web'], concurrency = 1_000, keys = createMemoryKeys(), ...more }: Staged = {},
) => {
  const region = regionOf('EU, West');
  if (!region) throw new Error('There is no such region.');
  const clock = fakeClock(START);
  const log = createMemoryEventStore('results');
  const queue = openInProcessQueue({ retries: [1_000], after: clock.after, now: clock.now });
  const received = {
    finished: [] as string[],
    /** for each finished run, `stored` or `none` */
    outcomes: [] as string[],
    dropped: [] as string[],
    troubles: [] as unknown[],
    stored: 0,
  };
  let runs = 0;
  const context = {
    clock,
    resolve: async () => [],
    policy: createTargetPolicy({ policy: 'internal' }),
    memory: createRunCache(clock),
    registries: NO_REGISTRIES,
  };
  const worker = createWorker({
    region,
    server: () => SERVER,
    probes: { types, run: (check, requested) => run(check, { ...context, ...requested }) },
    queue,
    results: createBatches({
      log: requested ?? createCheckedStore(log),
      after: clock.after,
      limits: { enough: Math.ceil(concurrency / 2) },
    }),
    keys,
    secretsOf: async () => [],
    clock,
    concurrency,
    wanted: () => true,
    finished: ({ run_id }, outcome) => {
      received.finished.push(run_id);
      received.outcomes.push(outcome);
    },
    observe: {
      stored: () => {
        received.stored += 1;
      },
      dropped: (reason) => received.dropped.push(reason),
      trouble: (_, error) => received.troubles.push(error),
    },
    ...more,
  });
  worker.start();

  return {
    clock,
    log,
    keys,
    queue,
    worker,
    received: received,
    offer: async (content: RunMessage = message(), given: Partial<QueuedRun> = {}): Promise<void> => {
      const id = `run${(runs++).toString().padStart(9, '0')}`;
      await queue.offer({ run_id: id, region: 'eu-west1', not_after: START + 70_000, payload: content, ...given });
      await settled();
    },
    /** Advances the clock far enough that all batches are appended. */
    flush: async (): Promise<void> => {
      await clock.advance(500);
      await settled();
    },
    stored: () => log.readStream('check_results-eu-west1'),
    end: async (): Promise<void> => {
      await worker.stop();
      await queue.close();
    },
  };
};
