import { chmod, cp, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bind } from './tree.ts';

const READ = 0o004;
const READ_AND_SEARCH = 0o005;
const RUN = 0o100;

/** Whether other users can read a file, or everything in a folder. Link targets are checked separately. */
const othersRead = async (path: string): Promise<boolean> => {
  const status = await lstat(path);
  if (status.isSymbolicLink()) return true;
  if (!status.isDirectory()) return (status.mode & READ) !== 0;
  if ((status.mode & READ_AND_SEARCH) !== READ_AND_SEARCH) return false;
  for (const name of await readdir(path)) if (!(await othersRead(join(path, name)))) return false;
  return true;
};

const opened = async (path: string): Promise<void> => {
  const status = await lstat(path);
  if (status.isSymbolicLink()) return;
  await chmod(path, status.isDirectory() || (status.mode & RUN) !== 0 ? 0o755 : 0o644);
  if (status.isDirectory()) for (const name of await readdir(path)) await opened(join(path, name));
};

/**
 * Returns sources that the sandbox's user can read: the originals, or copies of files that only their owner can read
 * (as with a umask of 077).
 *
 * @param folder for copies; others may search it
 */
export const readableBy = (folder: string): ((binds: readonly Bind[]) => Promise<Bind[]>) => {
  const places = new Map<string, string>();

  const place = async (from: string): Promise<string> => {
    const known = places.get(from);
    if (known !== undefined) return known;
    let at = from;
    if (!(await othersRead(from))) {
      at = join(folder, places.size.toString());
      await mkdir(folder, { recursive: true });
      await chmod(folder, 0o711);
      await cp(from, at, { recursive: true, verbatimSymlinks: true });
      await opened(at);
    }
    places.set(from, at);
    return at;
  };

  return async (binds) => {
    const readable: Bind[] = [];
    for (const { from, to } of binds) readable.push({ from: await place(from), to });
    return readable;
  };
};
