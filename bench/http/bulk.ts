/**
 * Measures how long it takes to pause a thousand checks with one request, compared with one request per check, and how
 * this affects other clients.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import type { Row } from '../tools/table.ts';

const CHECKS = sizeOf('BULK_CHECKS', 1_000);
const AT_ONCE = 50;
/** Milliseconds between two requests of the other client. */
const STEP_MS = 5;

interface Results {
  results: { id: string; status: number }[];
}

const asking =
  ({ address, key }: Program) =>
  async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: key, 'content-type': 'application/json' };
    const response = await fetch(address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await act();
  return performance.now() - start;
};

/** Returns the time of the slowest response to another client during an operation, in milliseconds. */
const slowestDuring = async (act: Promise<unknown>, other: () => Promise<unknown>): Promise<number> => {
  const state = { over: false };
  const done = act.finally(() => (state.over = true));
  let slowest = 0;
  while (!state.over) {
    slowest = Math.max(slowest, await timed(other));
    await sleep(STEP_MS);
  }
  await done;
  return slowest;
};

const done = ({ results }: Results): string[] => {
  const failed = results.find(({ status }) => status >= 300);
  if (failed) throw new Error(`An item got status ${failed.status}.`);
  return results.map(({ id }) => id);
};

export const bench = async (): Promise<Row[]> => {
  const program = await startProgram();
  try {
    const ask = asking(program);
    const check = { name: 'Shop', type: 'web', url: 'https://shop.example/', interval: 86_400, active: false };
    const create = Array.from({ length: CHECKS }, () => check);
    let ids: string[] = [];
    const created = await timed(async () => {
      ids = done(await ask<Results>('POST', '/v1/checks/bulk', { create }));
    });
    const change = async (interval: number): Promise<void> => {
      done(await ask<Results>('POST', '/v1/checks/bulk', { ids, change: { interval } }));
    };
    const singles = async (interval: number): Promise<void> => {
      for (let first = 0; first < ids.length; first += AT_ONCE) {
        const some = ids.slice(first, first + AT_ONCE);
        await Promise.all(some.map((id) => ask('PATCH', `/v1/checks/${id}`, { interval })));
      }
    };
    // The first change of each kind is a warm-up.
    await change(80_000);
    await singles(80_001);
    const [ours, theirs] = [await timed(() => change(80_002)), await timed(() => singles(80_003))];
    const other = (): Promise<unknown> => ask('GET', '/v1/check-groups');
    const slowest = await slowestDuring(change(80_004), other);
    const slowestOfSingles = await slowestDuring(singles(80_005), other);
    const ms = (figure: number): string => `${figure.toFixed(0)} ms`;
    const many = CHECKS.toLocaleString('en');
    return [
      {
        what: `${many} checks changed by one request`,
        figure: ms(ours),
        peer: `a PATCH for each, ${AT_ONCE} concurrent, ${ms(theirs)}`,
        ratio: theirs / ours,
        aim: '≥ 2',
      },
      {
        what: 'slowest short response to another client meanwhile',
        figure: ms(slowest),
        peer: `during a PATCH for each ${ms(slowestOfSingles)}`,
        ratio: slowestOfSingles / slowest,
        aim: '≥ 1',
      },
      { what: `${many} checks created by one request`, figure: ms(created) },
    ];
  } finally {
    await program.stop();
  }
};
