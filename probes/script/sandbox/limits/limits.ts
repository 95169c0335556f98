import type { ScriptKind } from '../../protocol.ts';

/** The resource limits of a sandbox. */
export interface SandboxLimits {
  /** total memory of its processes and files, mebibytes; exceeding it kills the sandbox */
  memory: number;
  /** number of processes, including those that watch it; exceeding it kills the sandbox */
  processes: number;
  /**
   * Number of processes and threads; when it is reached, no further one starts. The `pids` controller counts threads,
   * and Node.js has a dozen of them and each browser process up to thirty, so it can't enforce `processes`: processes
   * are counted every {@link SUPERVISION_INTERVAL_MS}, and this limit applies in between.
   */
  tasks: number;
  /** open files per process */
  files: number;
  /** total data in /tmp, and maximum size of a file, mebibytes */
  disk: number;
  /** shared memory in /dev/shm, mebibytes; both count as memory */
  shared: number;
}

export const LIMITS: Readonly<Record<ScriptKind, SandboxLimits>> = {
  multistep: { memory: 512, processes: 64, tasks: 256, files: 1_024, disk: 128, shared: 16 },
  synthetic: { memory: 1_024, processes: 256, tasks: 1_536, files: 4_096, disk: 256, shared: 192 },
};

/** Interval of checking a sandbox's use of resources, milliseconds. */
export const SUPERVISION_INTERVAL_MS = 100;

export const MiB = 1_024 * 1_024;

/** The exceeded limit. */
export type ExceededLimit = 'memory' | 'processes';

/** What enforces memory and processes: cgroups of the kernel, or our own supervision. */
export type LimitedBy = 'cgroup v2' | 'cgroup v1' | 'supervisor';
