import * as assert from 'uvu/assert';
import { eventually, realPause } from '../waiting.ts';

const RUNS = 1_000;
const AT_ONCE = 100;

/** Returns how many timers, sockets, streams and other handles are open, by kind. */
export const handles = (): Record<string, number> => {
  const counted: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counted[kind] = (counted[kind] ?? 0) + 1;
  return counted;
};

/** Waits until no kind of handle is open more often than in `before`, with a time limit. */
export const noMoreThan = async (before: Record<string, number>): Promise<void> => {
  await eventually(() => {
    // At this point the timer of the preceding pause has ended, so only handles of runs could be left.
    const now = handles();
    if (Object.entries(now).some(([kind, count]) => count > (before[kind] ?? 0))) assert.equal(now, before);
    return true;
  });
};

/** Runs a function a thousand times, a hundred at a time. */
export const manyTimes = async (run: () => Promise<unknown>): Promise<void> => {
  let left = RUNS;
  const runner = async (): Promise<void> => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
};

/** Starts a thousand runs, a hundred at a time, and aborts each after some milliseconds. */
export const manyEndedEarly = async (
  run: (signal: AbortSignal) => Promise<unknown>,
  milliseconds = 5,
): Promise<void> => {
  for (let round = 0; round < RUNS / AT_ONCE; round++) {
    const endings = Array.from({ length: AT_ONCE }, () => new AbortController());
    const runs = endings.map(({ signal }) => run(signal).catch(() => undefined));
    await realPause(milliseconds, 'the runs are in the middle of something then');
    for (const ending of endings) ending.abort();
    await Promise.all(runs);
  }
};
