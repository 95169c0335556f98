import { readFileSync } from 'node:fs';

/**
 * Returns the start time of a process, in ticks since boot; null if the process does not run. Ids of processes are
 * reused, but the id and the start time together identify a process.
 */
export const startOf = (pid: number | 'self'): string | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The program's name, which comes before the other fields, may contain any character.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
};

/** Returns a text that identifies this process among all processes of this machine, past and future. */
export const ownMark = (): string => `${process.pid}-${startOf('self') ?? '0'}`;

/** Returns whether a process still runs. @param mark result of {@link ownMark} in that process */
export const lives = (mark: string): boolean => {
  const [pid, start] = mark.split('-');
  return pid !== undefined && start !== undefined && /^\d+$/.test(pid) && startOf(Number(pid)) === start;
};

/** Kills a process. Returns false if the process does not exist or permissions are missing. */
export const killed = (pid: number): boolean => {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
};
