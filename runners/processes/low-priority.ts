import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Lower than everything else on this machine with normal priority, but never without CPU time. */
const NICE = 5;
/** Out of 1,000: if memory runs out, the system ends a probe process before the service. */
const OOM_SCORE = 700;

/** Makes this process yield CPU time and, when memory runs out, memory to the service. */
export const lowerPriority = (): void => {
  // On Linux each thread has its own priority; later threads inherit that of their creator.
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

/** Returns null for what the system does not provide. */
const readable = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch {
    return null;
  }
};
