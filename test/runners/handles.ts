import * as assert from 'uvu/assert';

const RUNS = 1_000;
const AT_ONCE = 100;

/** How many timers, sockets, streams and the like are open, by kind. */
export const handles = (): Record<string, number> => {
  const counted: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counted[kind] = (counted[kind] ?? 0) + 1;
  return counted;
};

/** Waits until no more is open than before, for a bounded time. */
export const noMoreThan = async (before: Record<string, number>): Promise<void> => {
  for (let looks = 0; looks < 500; looks++) {
    const now = handles();
    if (Object.entries(now).every(([kind, count]) => count <= (before[kind] ?? 0))) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  // The timer of the pause before this look is gone, and none is left of the runs.
  assert.equal(handles(), before);
};

/** Runs a thousand times, a hundred at a time. */
export const manyTimes = async (run: () => Promise<unknown>): Promise<void> => {
  let left = RUNS;
  const runner = async (): Promise<void> => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
};

/** Starts a thousand runs, a hundred at a time, and ends each from outside some milliseconds later. */
export const manyEndedEarly = async (
  run: (signal: AbortSignal) => Promise<unknown>,
  milliseconds = 5,
): Promise<void> => {
  for (let round = 0; round < RUNS / AT_ONCE; round++) {
    const endings = Array.from({ length: AT_ONCE }, () => new AbortController());
    const runs = endings.map(({ signal }) => run(signal).catch(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    for (const ending of endings) ending.abort();
    await Promise.all(runs);
  }
};
