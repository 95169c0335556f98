import { readdirSync, readFileSync } from 'node:fs';

/** Resource usage of a process, from the kernel (proc(5)). */
export interface Usage {
  /** seconds of CPU time since the start of the process */
  cpu: number;
  /** resident memory, bytes */
  memory: number;
}

const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4_096;

/** Returns the fields of /proc/<pid>/stat, beginning with the state. The name before the state may contain spaces. */
const statOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
};

export const usageOf = (pid: number): Usage => {
  const fields = statOf(pid);
  const cpu = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  return { cpu, memory: Number(fields[21]) * PAGE_BYTES };
};

/** Returns the seconds of CPU time of a process's child processes that have ended. */
export const usageOfEnded = (pid: number): number => {
  const fields = statOf(pid);
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
};

/** Returns the ids of a process's children, which are its probe processes. */
export const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return Number(statOf(pid)[1]) === parent;
      } catch {
        return false; // The process has ended meanwhile.
      }
    });
