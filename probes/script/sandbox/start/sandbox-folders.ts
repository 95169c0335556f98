import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lives, ownMark } from '../processes.ts';
import { seccompFilter, type thisMachine } from '../seccomp/filter.ts';
import { ETC } from './arguments.ts';

/** A process's folder for all sandboxes, with shared files and a folder per sandbox. */
export interface SandboxFolders {
  path: string;
  /** files of /etc */
  etc: string;
  /** the filter, for this architecture */
  seccomp: string;
  /** empty; a mount point that no other process sees */
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
 * @param machine null: without a filter
 * @param parent should have a short path, since socket paths have at most 107 bytes
 */
export const openSandboxFolders = async (
  machine: ReturnType<typeof thisMachine>,
  parent = tmpdir(),
): Promise<SandboxFolders> => {
  await sweep(parent);
  const path = await mkdtemp(join(parent, `${PREFIX}${ownMark()}-`));
  // Everyone may pass through it, and no one may list it.
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
