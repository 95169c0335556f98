import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killed, lives, ownMark } from '../processes.ts';
import { MiB, type ExceededLimit, type LimitedBy, type SandboxLimits } from './limits.ts';
import { hierarchies, ownService } from './hierarchies.ts';

/** A cgroup, which is a group of processes that the kernel limits together. */
export interface Cgroup {
  /** files; a process writes `0` to each of them to become a member */
  memberFiles: string[];
  /** Returns the limit that was exceeded; null if no limit was exceeded. */
  excess: () => Promise<ExceededLimit | null>;
  processes: () => Promise<number[]>;
  /** Kills all members and removes the cgroup. */
  remove: () => Promise<void>;
}

/** Creates cgroups. */
export interface Cgroups {
  by: Exclude<LimitedBy, 'supervisor'>;
  make: (name: string, limits: SandboxLimits) => Promise<Cgroup>;
  /** Removes the parent folder of the cgroups. */
  close: () => Promise<void>;
}

/**
 * Prefix of the folders created here. It is followed by the mark (`ownMark`) of the process that created the folder.
 */
const PREFIX = 'uptrail-scripts-';
/** How long killed members may take to disappear, in milliseconds. */
const PATIENCE_MS = 20_000;

const read = async (file: string): Promise<string> => readFile(file, 'latin1').catch(() => '');

/** Reads a number from a file with lines such as `oom_kill 0`. */
const count = async (file: string, name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await read(file))?.[1] ?? 0);

const members = async (folder: string): Promise<number[]> =>
  (await read(join(folder, 'cgroup.procs'))).split('\n').filter(Boolean).map(Number);

/** Kills members repeatedly until none is left, because members may start further processes in the meantime. */
const empty = async (folder: string): Promise<void> => {
  const begun = performance.now();
  for (let pids = await members(folder); pids.length > 0; pids = await members(folder)) {
    await writeFile(join(folder, 'cgroup.kill'), '1').catch(() => undefined);
    // 0 represents a process outside the PID namespace of this process.
    for (const pid of pids) if (pid > 0) killed(pid);
    if (performance.now() - begun > PATIENCE_MS) return;
    await sleep(2);
  }
};

const removed = async (folder: string): Promise<void> => {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await removed(join(folder, entry.name));
  await empty(folder);
  for (let tries = 0; tries < 200; tries++) {
    try {
      await rmdir(folder);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      // The last member is still exiting.
      await sleep(5);
    }
  }
};

/** Removes the cgroups of services that were killed. */
const sweep = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent).catch(() => []))
    if (name.startsWith(PREFIX) && !lives(name.slice(PREFIX.length))) await removed(join(parent, name));
};

/** Creates the folder of this process below a cgroup; returns null if this is impossible. */
const ownFolder = async (parent: string): Promise<string | null> => {
  await sweep(parent);
  const folder = join(parent, PREFIX + ownMark());
  try {
    await mkdir(folder, { recursive: true });
    return folder;
  } catch {
    return null;
  }
};

/**
 * Opens cgroups below the cgroup of this process, so that the limits of the service apply to its scripts too. Uses
 * cgroup version 2 if it has the controllers for memory and pids, otherwise version 1.
 *
 * @returns null if cgroups can't be used here
 */
export const openCgroups = async (): Promise<Cgroups | null> => (await openVersion2()) ?? (await openVersion1());

/** Returns how the limits of sandboxes are enforced on this machine. */
export const limitsEnforcedBy = async (): Promise<LimitedBy> => {
  const groups = await openCgroups();
  await groups?.close();
  return groups?.by ?? 'supervisor';
};

const openVersion1 = async (): Promise<Cgroups | null> => {
  const { memory, pids } = hierarchies();
  const folders = memory !== null && pids !== null ? [await ownFolder(memory), await ownFolder(pids)] : [];
  const [inMemory, inPids] = folders;
  const close = async (): Promise<void> => {
    for (const folder of folders) if (folder != null) await removed(folder);
  };
  if (inMemory == null || inPids == null) {
    await close();
    return null;
  }

  const make = async (name: string, limits: SandboxLimits): Promise<Cgroup> => {
    const own = [join(inMemory, name), join(inPids, name)] as const;
    const [ofMemory, ofPids] = own;
    for (const folder of own) await mkdir(folder);
    const bytes = (limits.memory * MiB).toString();
    await writeFile(join(ofMemory, 'memory.limit_in_bytes'), bytes);
    // Errors are ignored, because this file does not exist if there is no swap.
    await writeFile(join(ofMemory, 'memory.memsw.limit_in_bytes'), bytes).catch(() => undefined);
    await writeFile(join(ofPids, 'pids.max'), limits.tasks.toString());
    return {
      memberFiles: own.map((folder) => join(folder, 'cgroup.procs')),
      excess: async () => {
        if ((await count(join(ofMemory, 'memory.oom_control'), 'oom_kill')) > 0) return 'memory';
        if ((await count(join(ofPids, 'pids.events'), 'max')) > 0) return 'processes';
        return (await members(ofPids)).length > limits.processes ? 'processes' : null;
      },
      processes: () => members(ofPids),
      remove: async () => {
        for (const folder of [ofPids, ofMemory]) await removed(folder);
      },
    };
  };

  const groups: Cgroups = { by: 'cgroup v1', make, close };
  return (await works(groups)) ? groups : (await close(), null);
};

const openVersion2 = async (): Promise<Cgroups | null> => {
  for (const parent of await parents()) {
    const folder = (await enabled(parent)) ? await ownFolder(parent) : null;
    if (folder === null) continue;
    const close = (): Promise<void> => removed(folder);
    const make = async (name: string, limits: SandboxLimits): Promise<Cgroup> => {
      const own = join(folder, name);
      await mkdir(own);
      await writeFile(join(own, 'memory.max'), (limits.memory * MiB).toString());
      // Errors are ignored: the first file does not exist if there is no swap, and the second does not exist on old
      // kernels.
      await writeFile(join(own, 'memory.swap.max'), '0').catch(() => undefined);
      await writeFile(join(own, 'memory.oom.group'), '1').catch(() => undefined);
      await writeFile(join(own, 'pids.max'), limits.tasks.toString());
      return {
        memberFiles: [join(own, 'cgroup.procs')],
        excess: async () => {
          if ((await count(join(own, 'memory.events'), 'oom_kill')) > 0) return 'memory';
          if ((await count(join(own, 'pids.events'), 'max')) > 0) return 'processes';
          return (await members(own)).length > limits.processes ? 'processes' : null;
        },
        processes: () => members(own),
        remove: () => removed(own),
      };
    };
    const groups: Cgroups = { by: 'cgroup v2', make, close };
    if ((await enabled(folder)) && (await works(groups))) return groups;
    await close();
  }
  return null;
};

/** Returns whether a cgroup with limits can be created. */
const works = async (groups: Cgroups): Promise<boolean> => {
  try {
    const group = await groups.make('trial', { memory: 16, processes: 1, tasks: 1, files: 1, disk: 1, shared: 1 });
    await group.remove();
    return true;
  } catch {
    return false;
  }
};

/** Enables the controllers for the children of a cgroup. Returns whether they are enabled. */
const enabled = async (folder: string): Promise<boolean> => {
  await writeFile(join(folder, 'cgroup.subtree_control'), '+memory +pids').catch(() => undefined);
  const controllers = (await read(join(folder, 'cgroup.subtree_control'))).trim().split(' ');
  return controllers.includes('memory') && controllers.includes('pids');
};

/**
 * Returns the cgroup of this process and its parents, as far as their children may be limited; the best one comes
 * first. The children of a cgroup can't be limited if the cgroup contains processes. So the processes of the service
 * move to a child, as systemd recommends for delegation (https://systemd.io/CGROUP_DELEGATION).
 */
const parents = async (): Promise<string[]> => {
  const { unified } = hierarchies();
  const available = unified ? (await read(join(unified.folder, 'cgroup.controllers'))).trim().split(' ') : [];
  if (!unified || !available.includes('memory') || !available.includes('pids')) return [];
  if (ownService(await members(unified.folder)) && !(await enabled(unified.folder))) await makeRoom(unified.folder);
  const found = [unified.folder];
  for (let folder = unified.folder; folder !== unified.root && folder !== '/';) {
    folder = dirname(folder);
    found.push(folder);
  }
  return found;
};

/** Moves the processes of a service to a child of its cgroup. */
const makeRoom = async (folder: string): Promise<void> => {
  const inner = join(folder, 'uptrail');
  try {
    await mkdir(inner, { recursive: true });
    for (let pids = await members(folder), tries = 0; pids.length > 0 && tries < 10; tries++) {
      for (const pid of pids) await writeFile(join(inner, 'cgroup.procs'), pid.toString()).catch(() => undefined);
      pids = await members(folder);
    }
  } catch {
    // This is not permitted, so the limits are enforced without cgroups.
  }
};
