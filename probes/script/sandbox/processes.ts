import { readFileSync } from 'node:fs';

/** The start time of a process, in ticks since boot, which distinguishes it from a later one with the same id. */
export const startOf = (pid: number | 'self'): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name comes before it, and may contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
};

/** Identifies this process among all processes that this machine ever starts. */
export const ownMark = (): string => `${process.pid}-${startOf('self') ?? '0'}`;

/** Whether the process of a mark is running. */
export const lives = (mark: string): boolean => {
  const [pid, start] = mark.split('-');
  return pid !== undefined && start !== undefined && /^\d+$/.test(pid) && startOf(Number(pid)) === start;
};

/** Kills a process, if it exists and permissions allow it. */
export const killed = (pid: number): boolean => {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
};
