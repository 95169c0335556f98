import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, fillPages } from '../http/http.ts';
import { median } from '../tools/table.ts';
import { usageBelow } from './processes.ts';
import type { Service } from './service.ts';
import { startTally, medianTally, type Tally } from './tally.ts';

/**
 * Pause after a request whose work is counted. During the pause, all effects of the request end, including those that
 * occur at most once per second.
 */
const PAUSE_MS = 1_200;
/** Number of requests until the code is compiled and all files are open. */
const WARM_UP = 20;
const BETWEEN_MS = 50;
/**
 * Number of requests whose time is measured. {@link SHORT_PAUSE_MS}: the pause after each of these requests, in which
 * most of its effects end.
 */
const POSTS_OF_TURN = 5;
const SHORT_PAUSE_MS = 200;
/** Maximum number of write system calls of an idle service during a pause. */
const QUIET_WRITES = 10;
/** Maximum time to wait until the service is idle. If it is not idle by then, the figures will be too high. */
const QUIET_WITHIN_MS = 30_000;

/** A service with a page to read, and a page on which incidents are opened (`fillPages`). */
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

/** Waits until a service is idle: after it is ready, it still loads modules and starts processes for some seconds. */
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
 * Returns the counts for one POST of an incident, without subscribers and checks. Requests are sent one at a time, to
 * the services in turn, so that each service completes the effects of its request while the others are measured.
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

/** Times for one POST of an incident, in milliseconds. */
export interface PostTimes {
  /** until the response */
  median_ms: number;
  /** CPU time of all threads of all processes, until the next request */
  cpu_ms: number;
  /** from one request to the next */
  lap_ms: number;
}

/** Opens some incidents over one connection, one at a time, with short pauses. */
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
 * Returns the times for one POST of an incident, as medians over all rounds. Services are measured in alternation, so
 * that other load on the machine affects all of them.
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
