/** Measures how probes affect API clients: the duration of a read while many HTTPS checks run, and while none runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { createAuthority } from '../../test/probes/web/certificates.ts';
import { startChild } from '../tools/child.ts';
import { callApi, fillPages } from './http.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { percentile, type Row } from '../tools/table.ts';

/** HTTPS probes per second. */
const RATE = sizeOf('LATENCY_RATE', 250);
const SECONDS = sizeOf('LATENCY_SECONDS', 20);
const ROUNDS = 3;
const INTERVAL = 30;
const SEQUENCES = 32;

const createChecks = async (program: Program, url: string): Promise<void> => {
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < RATE * INTERVAL) {
      const name = `Check ${begun++}`;
      await callApi(program, { path: '/v1/checks', body: { name, type: 'web', interval: INTERVAL, url } });
    }
  };
  await Promise.all(Array.from({ length: SEQUENCES }, lane));
};

/** Reads the number of results stored since the start, and how many of them are good. */
const results = async ({ address }: Program): Promise<{ all: number; good: number }> => {
  const text = await (await fetch(`${address}/metrics`)).text();
  const counts = [...text.matchAll(/^check_run_duration_seconds_count\{(.*)\} (\d+)$/gm)];
  const sum = (lines: typeof counts): number => lines.reduce((total, [, , count]) => total + Number(count), 0);
  return { all: sum(counts), good: sum(counts.filter(([, labels]) => labels?.includes('status="ok"'))) };
};

/** Returns the 99th percentile of the duration of reads in milliseconds, at a rate below the capacity. */
const p99 = async ({ address, key }: Program, path: string): Promise<number> => {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const options = { connections: 4, overallRate: 200, duration: SECONDS / ROUNDS };
    const { latency, non2xx, errors } = await autocannon({
      url: address + path,
      headers: { authorization: key },
      ...options,
    });
    if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} requests were refused, ${errors} requests failed.`);
    rounds.push(latency.p99);
  }
  return percentile(rounds, 0.5);
};

export const bench = async (): Promise<Row[]> => {
  const authority = createAuthority();
  const { key, cert } = authority.make('server', { names: 'IP:127.0.0.1' });
  const servers = await startChild('checks/probe-servers');
  const program = await startProgram({ LOG_LEVEL: 'warn', NODE_EXTRA_CA_CERTS: authority.file('root.crt') });
  try {
    const { https } = (await servers.ask({ value: { key, cert } })) as { https: number };
    const { incident } = await fillPages(program);
    await p99(program, incident);
    const without = await p99(program, incident);
    await createChecks(program, `https://127.0.0.1:${https}/`);
    // After this pause, every check has run once. From then on, the checks run at their regular slots.
    await sleep((INTERVAL + 5) * 1_000);
    const before = await results(program);
    const started = performance.now();
    const during = await p99(program, incident);
    const seconds = (performance.now() - started) / 1_000;
    const after = await results(program);
    const good = after.good - before.good;
    return [
      {
        what: `GET of an incident, p99 at ${Math.round((after.all - before.all) / seconds)} https probes per second (${((good / (after.all - before.all)) * 100).toFixed(1)} % good)`,
        figure: `${during.toFixed(0)} ms`,
        peer: `without probes ${without.toFixed(0)} ms`,
        ratio: during / without,
        aim: '≤ 2',
      },
    ];
  } finally {
    await program.stop();
    await servers.stop();
    authority.close();
  }
};
