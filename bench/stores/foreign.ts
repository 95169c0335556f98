import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../../stores/eventstoredb/connection.ts';
import { startClusterServers } from '../../test/e2e/cluster-servers.ts';
import { startOne, type RunningProgram } from '../../test/e2e/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import type { Row } from '../tools/table.ts';

const EVENTS = sizeOf('FOREIGN_EVENTS', 1_000_000);
const AT_ONCE = 1_000;
const DUTIES = ['project', 'api', 'schedule'] as const;

type Took = Record<(typeof DUTIES)[number], number>;

/**
 * Measures how long the duties of a cluster take to start on a server with a million foreign events. Measures three
 * starts: the first start of a new cluster, a start after foreign events were written while the cluster was stopped,
 * and a start after the duties had already searched these events.
 */
export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const servers = await startClusterServers(folder);
  const environment: Record<string, string> = {
    ...servers.environment,
    ADMIN_API_KEY: 'benchmark-admin-key',
    NODE_ENV: 'production',
  };
  const alone = { ...environment, EVENTSTOREDB_PREFIX: `${environment['EVENTSTOREDB_PREFIX'] ?? ''}alone.` };
  const database = (name: string): string => {
    const url = new URL(environment['MONGODB_URL'] ?? '');
    url.pathname += name;
    return url.toString();
  };
  try {
    const first = await starts({ ...alone, MONGODB_URL: database('a') });
    const again = await starts({ ...alone, MONGODB_URL: database('a') });
    await writeForeign(environment['EVENTSTOREDB_URL'] ?? '');
    const behind = await starts({ ...alone, MONGODB_URL: database('a') });
    const stored = await starts({ ...alone, MONGODB_URL: database('a') });
    const beside = await starts({ ...environment, MONGODB_URL: database('b') });
    const rows = (what: string, took: Took, compared: Took, peer: string): Row[] =>
      DUTIES.map((duty) => ({
        what: `start of ${duty}, ${what}`,
        figure: `${took[duty].toFixed(0)} ms`,
        peer: `${peer} ${compared[duty].toFixed(0)} ms`,
        ratio: took[duty] / compared[duty],
      }));
    const count = EVENTS.toLocaleString('en');
    console.error(`load ${(loadavg()[0] ?? Number.NaN).toFixed(1)}`);
    return [
      ...rows(`the first, behind ${count} foreign events`, beside, first, 'on an empty server'),
      ...rows(`${count} foreign events since the last`, behind, again, 'none since'),
      ...rows('once more', stored, again, 'none since'),
    ];
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Starts the duties one after another, and then stops all of them. Returns the milliseconds until each was ready. */
const starts = async (environment: Record<string, string>): Promise<Took> => {
  const took: Took = { project: 0, api: 0, schedule: 0 };
  const running: RunningProgram[] = [];
  try {
    for (const duty of DUTIES) {
      const began = performance.now();
      const started = await startOne([duty], environment);
      running.push(started);
      while (!(await fetch(`${started.address}/health/ready`)).ok) await sleep(10);
      took[duty] = performance.now() - began;
    }
    return took;
  } finally {
    for (const program of running) await program.end('SIGTERM');
  }
};

const writeForeign = async (url: string): Promise<void> => {
  const { client, credentials, close } = connect(url);
  const data = Buffer.alloc(100);
  const some = () =>
    Array.from({ length: AT_ONCE }, () => ({
      id: randomUUID(),
      type: 'Foreign',
      contentType: 'application/octet-stream' as const,
      data,
      metadata: undefined,
    }));
  const write = async (stream: number): Promise<void> => {
    for (let written = 0; written < EVENTS / 4; written += AT_ONCE) {
      await client.appendToStream(`bench_foreign-${stream}`, some(), credentials);
    }
  };
  await Promise.all([1, 2, 3, 4].map(write));
  await close();
};
