import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * The niceness of the process. Everything with normal priority on this machine comes first, but the process always gets
 * some CPU time.
 */
const NICE = 5;
/** A score out of 1,000. If memory runs out, the system ends a probe process before the service. */
const OOM_SCORE = 700;

/**
 * Lowers the priority of this process: the service gets CPU time first, and if memory runs out, this process is ended
 * first.
 */
export const lowerPriority = (): void => {
  // On Linux, each thread has its own priority. A thread that is created later inherits the priority of its creator.
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

/** Returns the result of `read`, or null if the system does not support it. */
const readable = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
