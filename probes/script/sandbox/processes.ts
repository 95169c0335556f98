import { readFileSync } from 'node:fs';

/** What tells a process from a later one with the same number: when it was started, in ticks since the machine was. */
export const startOf = (pid: number | 'self'): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program comes before it, and may be anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
};

/** Names this process among all that this machine ever starts. */
export const ownMark = (): string => `${process.pid}-${startOf('self') ?? '0'}`;

/** Whether the process of a mark still runs. */
export const lives = (mark: string): boolean => {
  const [pid, start] = mark.split('-');
  return pid !== undefined && start !== undefined && /^\d+$/.test(pid) && startOf(Number(pid)) === start;
};

/** Kills a process, if it is there and ours to kill. */
export const killed = (pid: number): boolean => {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
};
