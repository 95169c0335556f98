import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Below everything else of this machine that has not been lowered too, but never without a turn. */
const NICE = 5;
/** Of 1,000: where memory runs out, the system ends a probe process before the service. */
const OOM_SCORE = 700;

/** Makes this process give way to the service: for the processor, and when memory runs out. */
export const giveWay = (): void => {
  // Linux gives each thread a priority of its own; threads that are still to come have that of their maker.
  const threads = readable(() => readdirSync('/proc/self/task').map(Number)) ?? [process.pid];
  for (const thread of threads) {
    readable(() => {
      setPriority(thread, NICE);
    });
  }
  readable(() => {
    writeFileSync('/proc/self/oom_score_adj', OOM_SCORE.toString());
  });
};

/** What does not exist on a system is done without. */
const readable = <T>(ask: () => T): T | null => {
  try {
    return ask();
  } catch {
    return null;
  }
};
