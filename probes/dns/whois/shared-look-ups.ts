import type { RunContext } from '../../engine/check-type.ts';
import { pause } from '../../engine/pause.ts';

/** Interval at which a run checks whether another run has finished, in milliseconds. */
const LOOK_AGAIN_MS = 100;

const underWay = (key: string): string => `${key} is under way`;

/**
 * Returns the cached value; undefined if there is none. If another run is looking up the value, waits for that run.
 *
 * If the context's signal aborts, rejects with the signal's reason.
 *
 * @param until deadline of the wait, in milliseconds of the monotonic clock
 */
export const cachedOrPending = async (
  key: string,
  until: number,
  { memory, clock, signal }: RunContext,
): Promise<unknown> => {
  for (;;) {
    const known = await memory.get(key);
    if (known !== undefined || clock.monotonic() >= until || (await memory.get(underWay(key))) === undefined)
      return known;
    await pause(clock, LOOK_AGAIN_MS, signal);
  }
};

/**
 * Makes other runs wait for the value that this run looks up and caches.
 *
 * @param until time until which other runs wait, in milliseconds of the monotonic clock
 */
export const shareResult = async <T>(
  key: string,
  until: number,
  { memory, clock }: RunContext,
  find: () => Promise<T>,
): Promise<T> => {
  memory.set(underWay(key), true, (until - clock.monotonic()) / 1_000);
  try {
    return await find();
  } finally {
    memory.set(underWay(key), true, 0);
  }
};
