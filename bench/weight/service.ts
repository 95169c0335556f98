import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projections } from '../../projections/index.ts';
import { indexesOf } from '../../stores/read-store/indexes.ts';
import { compiled, inProject, PROJECT } from '../../test/project.ts';
import { ADMIN_API_KEY, addressOf, ended, type Program } from '../tools/program.ts';
import { COLLECTIONS, SLOTS } from './slots.ts';
import { UNRELATED, unrelatedNames } from './unrelated.ts';

/** Counts of statements and transactions in SQLite since the start of a service. */
export type Statements = Record<(typeof SLOTS)[number], number> & {
  /** number of queries of readers, by collection */
  queries: Record<string, number>;
};

/** An embedded service with its own data directory. */
export interface Service extends Program {
  dataDirectory: string;
  /** milliseconds from the start until the service was ready */
  readyAfter: number;
  /** returns the counts; absent for the program of another checkout */
  statements?: () => Promise<Statements>;
}

export interface ServiceOptions {
  /**
   * path of the compiled program of another checkout, whose statements are not counted; default: the program of this
   * checkout
   */
  program?: string | null;
  /** number of additional unrelated read models, each with a reactor */
  unrelated?: number;
}

const ownCollections = projections.flatMap((projection) =>
  Object.entries(projection.collections as Record<string, Parameters<typeof indexesOf>[0]>),
);

/** Maximum number of unrelated read models that a benchmark adds. */
const MOST_UNRELATED = 100;

/** Collections of reactors that have an index by which reactors find due or changed items. */
export const REACTOR_LISTS: ReadonlySet<string> = new Set([
  ...unrelatedNames(MOST_UNRELATED),
  ...ownCollections.flatMap(([name, declaration]) =>
    indexesOf(declaration).some((index) => 'changed_position' in index || 'due_at' in index) ? [name] : [],
  ),
]);

const READY_WITHIN_MS = 60_000;
const LOOK_MS = 10;

/** Starts `uptrail serve` and waits until it is ready. */
export const startService = async ({ program = null, unrelated = 0 }: ServiceOptions = {}): Promise<Service> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-weight-'));
  const dataDirectory = join(folder, 'data');
  const names = [...ownCollections.map(([name]) => name), ...unrelatedNames(unrelated)];
  const counting = ['--import', compiled('bench/weight/counting.ts')];
  const adding = unrelated === 0 ? [] : ['--import', compiled('bench/weight/unrelated.ts')];
  const parameters = program === null ? [...counting, ...adding, inProject('dist/cli/uptrail.cjs')] : [program];
  const started = performance.now();
  const child = spawn(process.execPath, [...parameters, 'serve'], {
    cwd: program === null ? PROJECT : folder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDirectory,
      PORT: '0',
      ADMIN_API_KEY,
      // The same value as in cli/uptrail.cts. It must be set before the modules that are added here are loaded.
      UV_THREADPOOL_SIZE: '64',
      [COLLECTIONS]: names.join(','),
      [UNRELATED]: unrelated.toString(),
    },
    stdio: ['ignore', 'pipe', 'pipe', program === null ? 'ipc' : 'ignore'],
  });
  const stop = async (): Promise<void> => {
    await ended(child, 'SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const address = await addressOf(child);
    await untilReady(address);
    return {
      address,
      key: ADMIN_API_KEY,
      pid: child.pid ?? 0,
      dataDirectory,
      readyAfter: performance.now() - started,
      ...(program === null && {
        statements: async () => {
          const responded = once(child, 'message');
          child.send('count');
          const [numbers] = (await responded) as [number[]];
          return statementsOf(numbers, names);
        },
      }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};

const statementsOf = (numbers: readonly number[], names: readonly string[]): Statements => ({
  ...(Object.fromEntries(SLOTS.map((slot, index) => [slot, numbers[index] ?? 0])) as Omit<Statements, 'queries'>),
  queries: Object.fromEntries(names.map((name, index) => [name, numbers[SLOTS.length + index] ?? 0])),
});

const untilReady = async (address: string): Promise<void> => {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const { ok } = await fetch(`${address}/health/ready`).catch(() => ({ ok: false }));
    if (ok) return;
    if (performance.now() > deadline) throw new Error(`Not ready within ${READY_WITHIN_MS / 1_000} s.`);
    await sleep(LOOK_MS);
  }
};
