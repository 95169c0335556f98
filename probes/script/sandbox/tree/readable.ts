import { chmod, cp, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bind } from './tree.ts';

const READ = 0o004;
const READ_AND_SEARCH = 0o005;
const RUN = 0o100;

/** Returns whether other users can read a file, or everything in a folder. Does not check the targets of links. */
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
 * Replaces sources that other users can't read (as with a umask of 077) by copies, because the sandbox's user must be
 * able to read them.
 *
 * @param folder the folder for copies, which other users can search
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
