import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { promisify } from 'node:util';
import type { SandboxLimits } from '../limits/limits.ts';
import type { Programs } from './programs.ts';

/** Since this kernel, processes are counted by user and user namespace, before that by user alone. */
const BY_NAMESPACE = [5, 14] as const;

/** Where those of the service count too: far more than it has, and far less than a machine bears. */
const OF_ALL = 4_096;

const countedByNamespace = (): boolean => {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  return major > BY_NAMESPACE[0] || (major === BY_NAMESPACE[0] && minor >= BY_NAMESPACE[1]);
};

const isBounded = async (process: string, most: number): Promise<boolean> =>
  new RegExp(`^Max processes\\s+${most}\\s`, 'm').test(await readFile(`${process}/limits`, 'latin1').catch(() => ''));

/**
 * Bounds how many processes there can be in a sandbox that runs as the user of the service, and in no group: looks of our
 * own come too late for one that doubles itself all the time. The limit has to be set from outside, when it has its user
 * namespace: before, it would count all that the user has.
 *
 * @param init the first process inside
 */
export const boundProcesses = async (init: number, limits: SandboxLimits, { prlimit }: Programs): Promise<void> => {
  const most = countedByNamespace() ? limits.tasks : OF_ALL;
  const bound = async (pid: number): Promise<void> => {
    await promisify(execFile)(prlimit, [`--nproc=${most}:${most}`, '--pid', pid.toString()]).catch(() => undefined);
  };
  await bound(init);
  // Whoever was there before; later ones have it from these.
  const others = `/proc/${init}/task/${init}/children`;
  const listed = (await readFile(others, 'latin1').catch(() => '')).split(' ').filter(Boolean);
  const inside = listed.length > 0 ? listed : await childrenOf(init);
  for (const pid of inside) if (!(await isBounded(`/proc/${pid}`, most))) await bound(Number(pid));
};

/** The children of a process, where the kernel has no list of them. */
const childrenOf = async (parent: number): Promise<string[]> => {
  const children: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
    if (status.includes(`\nPPid:\t${parent}\n`)) children.push(pid);
  }
  return children;
};
