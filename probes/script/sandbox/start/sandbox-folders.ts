import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lives, ownMark } from '../processes.ts';
import { seccompFilter, type thisMachine } from '../seccomp/filter.ts';
import { ETC } from './arguments.ts';

/** The folder of this process for all its sandboxes. It contains shared files and a folder per sandbox. */
export interface SandboxFolders {
  path: string;
  /** folder with the files for /etc in a sandbox */
  etc: string;
  /** file with the system call filter for this architecture */
  seccomp: string;
  /** empty folder that serves as a mount point; other processes do not see the mounts */
  stage: string;
  /** Creates the folder of one sandbox. */
  createFor: (name: string) => Promise<string>;
  remove: () => Promise<void>;
}

const PREFIX = 'uptrail-sandboxes-';

/** Removes the folders of dead processes. */
const sweep = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent).catch(() => [])) {
    const mark = new RegExp(`^${PREFIX}(\\d+-\\d+)-`).exec(name)?.[1];
    if (mark !== undefined && !lives(mark))
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
};

/**
 * Creates the folder of this process, and removes those of dead processes.
 *
 * @param machine the architecture of the filter; null if no filter is needed
 * @param parent must have a short path, because a socket's path has at most 107 bytes
 */
export const openSandboxFolders = async (
  machine: ReturnType<typeof thisMachine>,
  parent = tmpdir(),
): Promise<SandboxFolders> => {
  await sweep(parent);
  const path = await mkdtemp(join(parent, `${PREFIX}${ownMark()}-`));
  // Other users can access paths in this folder, but can't list it.
  await chmod(path, 0o711);
  const [etc, stage, seccomp] = [join(path, 'etc'), join(path, 'stage'), join(path, 'seccomp')];
  for (const folder of [etc, stage]) {
    await mkdir(folder);
    await chmod(folder, 0o755);
  }
  for (const [name, content] of Object.entries(ETC)) {
    await writeFile(join(etc, name), content);
    await chmod(join(etc, name), 0o644);
  }
  if (machine) await writeFile(seccomp, seccompFilter(machine));
  return {
    path,
    etc,
    stage,
    seccomp,
    createFor: async (name) => {
      const folder = join(path, name);
      await mkdir(folder);
      await chmod(folder, 0o711);
      return folder;
    },
    remove: async () => {
      if (existsSync(path)) await rm(path, { recursive: true, force: true });
    },
  };
};
