import { send } from './filled-page.ts';
import type { Program } from './program.ts';
import { usageOf } from './usage.ts';

/** Number of seconds after which the wait fails. */
const MOST_SECONDS = 120;
/** CPU time, in seconds per second, below which a program is idle. */
const IDLE = 0.03;

/**
 * Waits until a program responds to a request, and then until it is idle: the read models have caught up, and the
 * reactors have handled all events. Otherwise this work would be counted as that of the first measured request.
 */
export const untilIdle = async (program: Program, path: string): Promise<void> => {
  let isReady = false;
  let before = usageOf(program.pid).cpu;
  for (let second = 0; second < MOST_SECONDS; second++) {
    const response: Response | null = isReady ? null : await send(program, path);
    await response?.arrayBuffer();
    isReady ||= response?.ok === true;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { cpu } = usageOf(program.pid);
    if (isReady && cpu - before < IDLE) return;
    before = cpu;
  }
  throw new Error(`${path} is not available, or the program is not idle.`);
};
