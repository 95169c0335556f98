import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { promisify } from 'node:util';
import type { SandboxLimits } from '../limits/limits.ts';
import type { Programs } from './programs.ts';

/** The first version of the kernel that counts processes per user and user namespace. Older kernels count per user. */
const BY_NAMESPACE = [5, 14] as const;

/**
 * The limit for older kernels, which also count the processes of the service. It is far higher than the number of these
 * processes, and far lower than the number of processes that a machine can run.
 */
const OF_ALL = 4_096;

const countedByNamespace = (): boolean => {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > BY_NAMESPACE[0] || (major === BY_NAMESPACE[0] && minor >= BY_NAMESPACE[1]);
};

const isBounded = async (process: string, most: number): Promise<boolean> =>
  new RegExp(`^Max processes\\s+${most}\\s`, 'm').test(await readFile(`${process}/limits`, 'latin1').catch(() => ''));

/**
 * Limits the number of processes in a sandbox that runs as the service's user and without a cgroup, because
 * ../limits/supervisor.ts is too slow for a fork bomb. The limit must be set from outside, after the sandbox has got
 * its user namespace. Before that, all processes of the user would count.
 *
 * @param init the first process inside the sandbox
 */
export const limitProcesses = async (init: number, limits: SandboxLimits, { prlimit }: Programs): Promise<void> => {
  const most = countedByNamespace() ? limits.tasks : OF_ALL;
  const bound = async (pid: number): Promise<void> => {
    await promisify(execFile)(prlimit, [`--nproc=${most}:${most}`, '--pid', pid.toString()]).catch(() => undefined);
  };
  await bound(init);
  // Limits the children that the first process has already started. Later children inherit the limit.
  const others = `/proc/${init}/task/${init}/children`;
  const listed = (await readFile(others, 'latin1').catch(() => '')).split(' ').filter(Boolean);
  const inside = listed.length > 0 ? listed : await childrenOf(init);
  for (const pid of inside) if (!(await isBounded(`/proc/${pid}`, most))) await bound(Number(pid));
};

/** Finds the children of a process on kernels that do not list them. */
const childrenOf = async (parent: number): Promise<string[]> => {
  const children: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
    if (status.includes(`\nPPid:\t${parent}\n`)) children.push(pid);
  }
  return children;
};
