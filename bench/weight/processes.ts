/** Usage of a process and all processes below it, from the kernel (proc(5)). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { childrenOf, usageOf } from '../tools/usage.ts';

/** Sums over all threads of a process and the processes below it. */
export interface ProcessUsage {
  /** milliseconds of CPU time */
  cpu: number;
  /** write system calls: to files, pipes, sockets and between threads */
  writes: number;
}

const NANOSECONDS = 1e6;

const processesFrom = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(processesFrom)];

/** CPU milliseconds of the threads of a process; /proc/<pid>/stat has a resolution of ten milliseconds only. */
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

/** Memory and files of a process and those below it. */
export interface ProcessResources {
  /** resident memory of the service's own process, and of all processes, bytes; shared memory counts for each */
  memory: number;
  memoryOfAll: number;
  /** open files, sockets and pipes of the service's own process, and those in its data directory */
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
