import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { MiB, type ExceededLimit, type SandboxLimits } from './limits.ts';

const text = async (file: string): Promise<string> => readFile(file, 'latin1').catch(() => '');

const kibibytes = (content: string, field: string): number | null => {
  const digits = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(content)?.[1];
  return digits === undefined ? null : Number(digits);
};

/** Returns the proportional memory (PSS) of a process, in kibibytes; if unknown, its resident memory. */
const memoryOf = async (folder: string): Promise<number> =>
  kibibytes(await text(`${folder}/smaps_rollup`), 'Pss') ?? kibibytes(await text(`${folder}/status`), 'VmRSS') ?? 0;

/** Overhead of a file in memory, in kibibytes. */
const FILE_KIB = 1;

/** Returns the size of a file system in memory, in kibibytes. */
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

/** Returns the limit that processes and files exceed together; null if they exceed no limit. */
const judged = async (
  folders: readonly string[],
  files: readonly string[],
  limits: SandboxLimits,
): Promise<ExceededLimit | null> => {
  if (folders.length > limits.processes) return 'processes';
  let held = 0;
  for (const folder of folders) held += await memoryOf(folder);
  for (const folder of files) held += await heldIn(folder);
  return held * 1_024 > limits.memory * MiB ? 'memory' : null;
};

/**
 * Returns whether a root folder has its own /proc. Until its mounts are complete, the first process of a sandbox has
 * the root folder of this machine, whose /proc contains all processes of the machine.
 */
const hasOwnProc = async (root: string): Promise<boolean> => {
  const [inside, here] = await Promise.all([stat(`${root}/proc`).catch(() => null), stat('/proc')]);
  return inside !== null && inside.dev !== here.dev;
};

/**
 * Returns the limit that a sandbox exceeds; null if it exceeds no limit. Checks all processes in the /proc of the
 * sandbox, whatever their group or session, and its files in memory. Returns null while the sandbox is being set up.
 *
 * @param init the first process of the sandbox
 */
export const excessOfSandbox = async (init: number, limits: SandboxLimits): Promise<ExceededLimit | null> => {
  const root = `/proc/${init}/root`;
  if (!(await hasOwnProc(root))) return null;
  const processes = await numbers(`${root}/proc`);
  return judged(
    processes.map((name) => `${root}/proc/${name}`),
    [`${root}/tmp`, `${root}/dev/shm`],
    limits,
  );
};

/** Returns the limit that processes without a sandbox exceed together; null if they exceed no limit. */
export const excessOf = async (pids: readonly number[], limits: SandboxLimits): Promise<ExceededLimit | null> =>
  judged(
    pids.map((pid) => `/proc/${pid}`),
    [],
    limits,
  );
