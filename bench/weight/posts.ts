import { setTimeout as sleep } from 'node:timers/promises';
import { ask, fillPages } from '../http/http.ts';
import { median } from '../tools/table.ts';
import { usedBy } from './processes.ts';
import type { Service } from './service.ts';
import { startTally, usual, type Tally } from './tally.ts';

/**
 * The pause after each request, in which everything that follows from it is done, also what is done once a second at
 * most, however many requests there were.
 */
const PAUSE_MS = 1_200;
/** Requests until what follows is compiled and all files are open. */
const WARM_UP = 20;
const BETWEEN_MS = 50;
/** Write system calls in a pause of a service that has nothing left to do. */
const QUIET_WRITES = 10;
/** How long that is waited for; afterwards the figures show that it was not quiet. */
const QUIET_WITHIN_MS = 30_000;

/** A service with a page to read and one to open incidents on (`fillPages`). */
export interface Filled {
  service: Service;
  paths: Awaited<ReturnType<typeof fillPages>>;
}

export const fill = async (service: Service, warmUp = WARM_UP): Promise<Filled> => {
  const paths = await fillPages(service);
  for (let request = 0; request < warmUp; request++) {
    await ask(service, paths.asked);
    await sleep(BETWEEN_MS);
  }
  await untilQuiet(service);
  return { service, paths };
};

/** A service still loads modules and starts processes for some seconds after it was ready. */
const untilQuiet = async ({ pid }: Service): Promise<void> => {
  const deadline = performance.now() + QUIET_WITHIN_MS;
  for (let before = usedBy(pid).writes; performance.now() < deadline;) {
    await sleep(PAUSE_MS);
    const { writes } = usedBy(pid);
    if (writes - before <= QUIET_WRITES) return;
    before = writes;
  }
};

/** One incident opened over HTTP, and the median of the milliseconds until the answer. */
export interface PostCost extends Tally {
  median_ms: number;
  /** milliseconds from one request to the next */
  lap_ms: number;
}

/**
 * What a POST of an incident costs: no subscribers, no checks, one connection, one at a time. Services take turns, so
 * that they meet the same noise, and each works in the others' turns on what its request has led to.
 */
export const postCosts = async (services: readonly Filled[], posts: number): Promise<PostCost[]> => {
  const measured = services.map((filled) => ({ ...filled, waits: [] as number[], tallies: [] as Tally[] }));
  const tallying = await Promise.all(services.map(({ service }) => startTally(service)));
  const started = performance.now();
  for (let post = 0; post < posts; post++) {
    for (const { service, paths, waits } of measured) {
      const begun = performance.now();
      await ask(service, paths.asked);
      waits.push(performance.now() - begun);
      await sleep(PAUSE_MS / services.length);
    }
    for (const [index, tally] of tallying.entries()) measured[index]?.tallies.push(await tally());
  }
  const lap_ms = (performance.now() - started) / posts;
  return measured.map(({ tallies, waits }) => ({ ...usual(tallies), median_ms: median(waits), lap_ms }));
};
