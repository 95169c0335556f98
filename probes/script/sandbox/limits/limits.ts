import type { ScriptKind } from '../../protocol.ts';

/** The resource limits of a sandbox. */
export interface SandboxLimits {
  /** total memory of the processes and files of a sandbox, in mebibytes; exceeding it kills the sandbox */
  memory: number;
  /** number of processes, including those that watch the sandbox; exceeding it kills the sandbox */
  processes: number;
  /**
   * Number of processes and threads. When this number is reached, no further process or thread can start. The `pids`
   * controller of the kernel enforces this limit. The controller can't enforce `processes`, because it counts threads
   * too: Node.js has a dozen threads, a browser process up to thirty. So the supervisor counts processes every {@link
   * SUPERVISION_INTERVAL_MS}.
   */
  tasks: number;
  /** number of open files per process */
  files: number;
  /** total data in /tmp, and maximum size of a file, in mebibytes; the data also counts as memory */
  disk: number;
  /** shared memory in /dev/shm, in mebibytes; it also counts as memory */
  shared: number;
}

export const LIMITS: Readonly<Record<ScriptKind, SandboxLimits>> = {
  multistep: { memory: 512, processes: 64, tasks: 256, files: 1_024, disk: 128, shared: 16 },
  synthetic: { memory: 1_024, processes: 256, tasks: 1_536, files: 4_096, disk: 256, shared: 192 },
};

/** Interval at which the use of resources by a sandbox is checked, in milliseconds. */
export const SUPERVISION_INTERVAL_MS = 100;

export const MiB = 1_024 * 1_024;

/** The exceeded limit. */
export type ExceededLimit = 'memory' | 'processes';

/** What enforces the limits of memory and processes: cgroups of the kernel, or supervisor.ts. */
export type LimitedBy = 'cgroup v2' | 'cgroup v1' | 'supervisor';
