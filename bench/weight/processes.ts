/** Resource usage of a process and its descendants, from the kernel (proc(5)). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { childrenOf, usageOf } from '../tools/usage.ts';

/** Sums over all threads of a process and its descendants. */
export interface ProcessUsage {
  /** milliseconds of CPU time */
  cpu: number;
  /** number of write system calls: to files, pipes and sockets, and between threads */
  writes: number;
}

const NANOSECONDS = 1e6;

const processesFrom = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(processesFrom)];

/**
 * Returns the CPU time of a process in milliseconds, as the sum over its threads: /proc/<pid>/stat has a resolution of
 * only ten milliseconds.
 */
const cpuOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    try {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(nanoseconds) / NANOSECONDS;
    } catch {
      return sum; // The thread has ended meanwhile.
    }
  }, 0);

const writesOf = (pid: number): number =>
  Number(/^syscw: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1] ?? Number.NaN);

const sumOf = (pids: readonly number[], figure: (pid: number) => number): number =>
  pids.reduce((sum, pid) => sum + figure(pid), 0);

export const usageBelow = (pid: number): ProcessUsage => {
  const pids = processesFrom(pid);
  return { cpu: sumOf(pids, cpuOf), writes: sumOf(pids, writesOf) };
};

/** Memory and open files of a process and its descendants. */
export interface ProcessResources {
  /**
   * resident memory of the service's own process in bytes; `memoryOfAll`: of all processes, in which shared memory
   * counts several times
   */
  memory: number;
  memoryOfAll: number;
  /** number of open files, sockets and pipes of the service's own process; `dataFiles`: those in its data directory */
  files: number;
  dataFiles: number;
}

export const resourcesBelow = (pid: number, dataDirectory: string): ProcessResources => {
  const folder = `/proc/${pid}/fd`;
  const files = readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)];
    } catch {
      return []; // The file was closed meanwhile.
    }
  });
  return {
    memory: usageOf(pid).memory,
    memoryOfAll: sumOf(processesFrom(pid), (one) => usageOf(one).memory),
    files: files.length,
    dataFiles: files.filter((file) => file.startsWith(dataDirectory)).length,
  };
};
