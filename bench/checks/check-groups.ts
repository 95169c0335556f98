/** Measures how long it takes to pause and resume the group of very many checks. No check itself is changed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../tools/child.ts';
import { BENCH_KEY } from '../tools/result-samples.ts';
import { sizeOf } from '../tools/sizes.ts';
import type { Row } from '../tools/table.ts';

const CHECKS = sizeOf('GROUP_CHECKS', 10_000);
const AT_ONCE = 50;

type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

const asking =
  (address: string): Ask =>
  async (method, path, body) => {
    const headers = { authorization: BENCH_KEY, 'content-type': 'application/json' };
    const response = await fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? null : ((await response.json()) as unknown);
  };

/** Reads the number of offered runs from `/metrics`. */
const offered = async (address: string): Promise<number> => {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(/^check_run_lateness_seconds_count (\S+)$/m.exec(text)?.[1] ?? 0);
};

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await act();
  return performance.now() - start;
};

/** Creates checks in a paused group. They run only when the group is resumed. */
const fill = async (ask: Ask): Promise<string> => {
  const { id } = (await ask('POST', '/v1/check-groups', { name: 'Shops', active: false })) as { id: string };
  const check = { name: 'Shop', type: 'web', url: 'https://shop.example/', interval: 86_400, group_id: id };
  for (let made = 0; made < CHECKS; made += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, CHECKS - made) }, () => ask('POST', '/v1/checks', check)));
  }
  return `/v1/check-groups/${id}`;
};

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const child = await startChild('checks/scheduler-service', { greets: true });
  try {
    const address = (await child.ask({ task: 'serve', folder })) as string;
    while (!(await fetch(`${address}/health/ready`)).ok) await sleep(50);
    const ask = asking(address);
    const group = await fill(ask);
    const before = await offered(address);

    const start = performance.now();
    const resumed = await timed(() => ask('PATCH', group, { active: true }));
    while ((await offered(address)) < before + CHECKS && performance.now() - start < 60_000) await sleep(50);
    const begun = performance.now() - start;

    const read = await timed(() => ask('GET', group));
    const listed = await timed(() => ask('GET', `${group}/checks?page_size=100&page=50`));
    const paused = await timed(() => ask('PATCH', group, { active: false }));
    const deleted = await timed(() => ask('DELETE', group));
    const of = `a group of ${CHECKS.toLocaleString('en')} checks`;
    const ms = (figure: number): string => `${figure.toFixed(0)} ms`;
    return [
      {
        what: `${of}: resumed, until all have begun`,
        figure: ms(begun),
        peer: `response after ${ms(resumed)}`,
        aim: '< 5 s',
      },
      { what: `${of}: paused`, figure: ms(paused), peer: `deleted while paused ${ms(deleted)}` },
      { what: `${of}: read with its counts`, figure: ms(read), peer: `its checks, 100 from the middle ${ms(listed)}` },
    ];
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
