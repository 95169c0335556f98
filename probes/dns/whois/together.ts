import type { RunContext } from '../../engine/check-type.ts';
import { pause } from '../../engine/pause.ts';

/** How often a run checks whether another one is done, milliseconds. */
const LOOK_AGAIN_MS = 100;

const underWay = (key: string): string => `${key} is under way`;

/**
 * What is remembered, if need be once another run that is asking right now is done; undefined if nothing is.
 *
 * When the context's signal ends it, it rejects with the signal's reason.
 *
 * @param until when it stops waiting, by the monotonic clock
 */
export const remembered = async (
  key: string,
  until: number,
  { memory, clock, signal }: RunContext,
): Promise<unknown> => {
  for (;;) {
    const known = await memory.recall(key);
    if (known !== undefined || clock.monotonic() >= until || (await memory.recall(underWay(key))) === undefined)
      return known;
    await pause(clock, LOOK_AGAIN_MS, signal);
  }
};

/**
 * Makes other runs wait for what this one finds out and remembers.
 *
 * @param until when they stop waiting in any case, by the monotonic clock
 */
export const foundOut = async <T>(
  key: string,
  until: number,
  { memory, clock }: RunContext,
  find: () => Promise<T>,
): Promise<T> => {
  memory.remember(underWay(key), true, (until - clock.monotonic()) / 1_000);
  try {
    return await find();
  } finally {
    memory.remember(underWay(key), true, 0);
  }
};
