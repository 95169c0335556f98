import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lives, ownMark } from '../processes.ts';
import { seccompFilter, type thisMachine } from '../seccomp/filter.ts';
import { ETC } from './arguments.ts';

/** The folder of all sandboxes of a process, which has what they share and a folder for each. */
export interface Home {
  path: string;
  /** files of /etc */
  etc: string;
  /** the filter, for this machine */
  seccomp: string;
  /** empty; things are mounted here where nobody else sees it */
  stage: string;
  /** Makes a folder for one. */
  forOne: (name: string) => Promise<string>;
  remove: () => Promise<void>;
}

const PREFIX = 'uptrail-sandboxes-';

/** Removes the folders of processes that were killed. */
const sweep = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent).catch(() => [])) {
    const mark = new RegExp(`^${PREFIX}(\\d+-\\d+)-`).exec(name)?.[1];
    if (mark !== undefined && !lives(mark))
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined);
  }
};

/**
 * @param machine null: without a filter
 * @param parent socket paths are at most 107 bytes long, so it should be short
 */
export const openHome = async (machine: ReturnType<typeof thisMachine>, parent = tmpdir()): Promise<Home> => {
  await sweep(parent);
  const path = await mkdtemp(join(parent, `${PREFIX}${ownMark()}-`));
  // Everybody may pass through it, and nobody sees what is there.
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
    forOne: async (name) => {
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
