import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { MiB, type Excess, type SandboxLimits } from './limits.ts';

const text = async (file: string): Promise<string> => readFile(file, 'latin1').catch(() => '');

const kibibytes = (content: string, field: string): number | null => {
  const digits = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(content)?.[1];
  return digits === undefined ? null : Number(digits);
};

/** The share of memory that is a process's own, kibibytes. What several have counts in parts; unknown: all it has. */
const memoryOf = async (folder: string): Promise<number> =>
  kibibytes(await text(`${folder}/smaps_rollup`), 'Pss') ?? kibibytes(await text(`${folder}/status`), 'VmRSS') ?? 0;

/** What a file costs besides its content, kibibytes. */
const FILE_KIB = 1;

/** What a file system in memory holds, kibibytes. */
const heldIn = async (folder: string): Promise<number> => {
  try {
    const { blocks, bfree, bsize, files, ffree } = await statfs(folder);
    return ((blocks - bfree) * bsize) / 1_024 + (files - ffree) * FILE_KIB;
  } catch {
    return 0;
  }
};

const numbers = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => /^\d+$/.test(name));

/** Whether processes take more than they may, where no group limits them. */
const judged = async (
  folders: readonly string[],
  files: readonly string[],
  limits: SandboxLimits,
): Promise<Excess | null> => {
  if (folders.length > limits.processes) return 'processes';
  let held = 0;
  for (const folder of folders) held += await memoryOf(folder);
  for (const folder of files) held += await heldIn(folder);
  return held * 1_024 > limits.memory * MiB ? 'memory' : null;
};

/**
 * Whether a root has a /proc of its own. Until its mounts are made, the first process of a sandbox has the root of this
 * machine, with all processes of it.
 */
const hasOwnProc = async (root: string): Promise<boolean> => {
  const [inside, here] = await Promise.all([stat(`${root}/proc`).catch(() => null), stat('/proc')]);
  return inside !== null && inside.dev !== here.dev;
};

/**
 * Looks at a sandbox from outside: at all processes that its own /proc shows, wherever they have gone, and at
 * the files that it has in memory. Finds nothing while the sandbox is being set up.
 *
 * @param init its first process
 */
export const excessOfSandbox = async (init: number, limits: SandboxLimits): Promise<Excess | null> => {
  const root = `/proc/${init}/root`;
  if (!(await hasOwnProc(root))) return null;
  const processes = await numbers(`${root}/proc`);
  return judged(
    processes.map((name) => `${root}/proc/${name}`),
    [`${root}/tmp`, `${root}/dev/shm`],
    limits,
  );
};

/** Looks at processes that no sandbox is around. */
export const excessOf = async (pids: readonly number[], limits: SandboxLimits): Promise<Excess | null> =>
  judged(
    pids.map((pid) => `/proc/${pid}`),
    [],
    limits,
  );
