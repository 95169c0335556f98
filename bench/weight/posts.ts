import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, fillPages } from '../http/http.ts';
import { median } from '../tools/table.ts';
import { usageBelow } from './processes.ts';
import type { Service } from './service.ts';
import { startTally, medianTally, type Tally } from './tally.ts';

/**
 * The pause after each request, in which all its consequences are completed, including those that happen at most once
 * per second, however many requests there were.
 */
const PAUSE_MS = 1_200;
/** Requests until the code is compiled and all files are open. */
const WARM_UP = 20;
const BETWEEN_MS = 50;
/**
 * Number of requests whose time is measured, and the pause after each, in which most of its consequences are completed.
 */
const POSTS_OF_TURN = 5;
const SHORT_PAUSE_MS = 200;
/** Most write system calls of an idle service during a pause. */
const QUIET_WRITES = 10;
/** How long to wait for the service to be idle; afterwards the figures show that it was not. */
const QUIET_WITHIN_MS = 30_000;

/** A service with a page to read and one to open incidents on (`fillPages`). */
export interface FilledService {
  service: Service;
  paths: Awaited<ReturnType<typeof fillPages>>;
}

export const fillService = async (service: Service, warmUp = WARM_UP): Promise<FilledService> => {
  const paths = await fillPages(service);
  for (let request = 0; request < warmUp; request++) {
    await callApi(service, paths.asked);
    await sleep(BETWEEN_MS);
  }
  await untilQuiet(service);
  return { service, paths };
};

/** After it is ready, a service still loads modules and starts processes for some seconds. */
const untilQuiet = async ({ pid }: Service): Promise<void> => {
  const deadline = performance.now() + QUIET_WITHIN_MS;
  for (let before = usageBelow(pid).writes; performance.now() < deadline;) {
    await sleep(PAUSE_MS);
    const { writes } = usageBelow(pid);
    if (writes - before <= QUIET_WRITES) return;
    before = writes;
  }
};

/**
 * Counts for one POST of an incident: no subscribers, no checks, one at a time. Services alternate, and each completes
 * the consequences of its request while the others are measured.
 */
export const postCounts = async (services: readonly FilledService[], posts: number): Promise<Tally[]> => {
  const tallying = await Promise.all(services.map(({ service }) => startTally(service)));
  const tallies = services.map((): Tally[] => []);
  for (let post = 0; post < posts; post++) {
    for (const { service, paths } of services) {
      await callApi(service, paths.asked);
      await sleep(PAUSE_MS / services.length);
    }
    for (const [index, tally] of tallying.entries()) tallies[index]?.push(await tally());
  }
  return tallies.map(medianTally);
};

/** Milliseconds for one POST of an incident. */
export interface PostTimes {
  /** until the response */
  median_ms: number;
  /** CPU time of all threads of all processes, until the next request */
  cpu_ms: number;
  /** from one request to the next */
  lap_ms: number;
}

/** Opens some incidents over one connection, one at a time with short pauses. */
const openSome = async ({ service, paths }: FilledService): Promise<{ waits: number[]; cpu: number; lap: number }> => {
  const waits: number[] = [];
  const started = performance.now();
  const { cpu } = usageBelow(service.pid);
  for (let post = 0; post < POSTS_OF_TURN; post++) {
    const begun = performance.now();
    await callApi(service, paths.asked);
    waits.push(performance.now() - begun);
    await sleep(SHORT_PAUSE_MS);
  }
  const perPost = (sum: number): number => sum / POSTS_OF_TURN;
  return { waits, cpu: perPost(usageBelow(service.pid).cpu - cpu), lap: perPost(performance.now() - started) };
};

/**
 * Times of the same requests. Services alternate, so that other load on the machine affects all; the median of all
 * rounds counts.
 */
export const postTimes = async (services: readonly FilledService[], turns: number): Promise<PostTimes[]> => {
  const taken = services.map((): Awaited<ReturnType<typeof openSome>>[] => []);
  for (let turn = 0; turn < turns; turn++)
    for (const [index, service] of services.entries()) taken[index]?.push(await openSome(service));
  return taken.map((all) => ({
    median_ms: median(all.flatMap(({ waits }) => waits)),
    cpu_ms: median(all.map(({ cpu }) => cpu)),
    lap_ms: median(all.map(({ lap }) => lap)),
  }));
};
