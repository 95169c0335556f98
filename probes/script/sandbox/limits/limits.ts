import type { ScriptKind } from '../../protocol.ts';

/** What a sandbox may take of the machine. */
export interface SandboxLimits {
  /** of all its processes and files together, mebibytes; beyond it, it is killed */
  memory: number;
  /** processes at once, those that watch it included; beyond it, it is killed */
  processes: number;
  /**
   * Processes and threads at once: beyond it, no further one starts. The `pids` of cgroups count threads, of which
   * Node.js has a dozen and each process of a browser up to thirty, so `processes` alone says nothing there: they are
   * counted every {@link LOOK_MS}, and until then this holds.
   */
  tasks: number;
  /** open files of a process */
  files: number;
  /** what it may write below /tmp, and the longest file, mebibytes */
  disk: number;
  /** what it may share between processes in /dev/shm, mebibytes; both count as memory */
  shared: number;
}

export const LIMITS: Readonly<Record<ScriptKind, SandboxLimits>> = {
  multistep: { memory: 512, processes: 64, tasks: 256, files: 1_024, disk: 128, shared: 16 },
  synthetic: { memory: 1_024, processes: 256, tasks: 1_536, files: 4_096, disk: 256, shared: 192 },
};

/** How often it is looked at what a sandbox takes, milliseconds. */
export const LOOK_MS = 100;

export const MiB = 1_024 * 1_024;

/** Which limit was passed, when one was. */
export type Excess = 'memory' | 'processes';

/** What holds memory and processes: the kernel by groups of processes, or looks of our own. */
export type LimitedBy = 'cgroup v2' | 'cgroup v1' | 'supervisor';
