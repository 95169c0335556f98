import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killed, lives, ownMark } from '../processes.ts';
import { MiB, type ExceededLimit, type LimitedBy, type SandboxLimits } from './limits.ts';
import { hierarchies, ownService } from './hierarchies.ts';

/** A cgroup: processes that the kernel limits together. */
export interface Cgroup {
  /** files to which a process writes `0` to become a member */
  memberFiles: string[];
  /** the limit exceeded so far; null: none */
  excess: () => Promise<ExceededLimit | null>;
  processes: () => Promise<number[]>;
  /** Kills all members, and resolves when the cgroup is removed. */
  remove: () => Promise<void>;
}

/** Creates cgroups. */
export interface Cgroups {
  by: Exclude<LimitedBy, 'supervisor'>;
  make: (name: string, limits: SandboxLimits) => Promise<Cgroup>;
  /** Removes the parent folder of the cgroups. */
  close: () => Promise<void>;
}

/** Prefix of our folders, followed by the mark of the process that created them. */
const PREFIX = 'uptrail-scripts-';
/** How long killed members may take to disappear, milliseconds. */
const PATIENCE_MS = 20_000;

const read = async (file: string): Promise<string> => readFile(file, 'latin1').catch(() => '');

/** Reads the number on the line `name number` of a file. */
const count = async (file: string, name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await read(file))?.[1] ?? 0);

const members = async (folder: string): Promise<number[]> =>
  (await read(join(folder, 'cgroup.procs'))).split('\n').filter(Boolean).map(Number);

/** Kills members until none is left: they may start others meanwhile. */
const empty = async (folder: string): Promise<void> => {
  const begun = performance.now();
  for (let pids = await members(folder); pids.length > 0; pids = await members(folder)) {
    await writeFile(join(folder, 'cgroup.kill'), '1').catch(() => undefined);
    // 0 stands for a process outside this process id namespace.
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

/** Creates a folder of our own in a cgroup; null: not possible. */
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
 * Opens cgroups below the one of this process, so that the service's limits apply to its scripts too. Uses version 2 if
 * it has both controllers, otherwise version 1.
 *
 * @returns null: not possible here
 */
export const openCgroups = async (): Promise<Cgroups | null> => (await openVersion2()) ?? (await openVersion1());

/** How sandbox limits are enforced here. */
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
    // Does not exist without swap.
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
      // Does not exist without swap; the next one does not exist on old kernels.
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

/** Whether cgroups enforce both limits here. */
const works = async (groups: Cgroups): Promise<boolean> => {
  try {
    const group = await groups.make('trial', { memory: 16, processes: 1, tasks: 1, files: 1, disk: 1, shared: 1 });
    await group.remove();
    return true;
  } catch {
    return false;
  }
};

/** Enables the controllers for the cgroups below one. */
const enabled = async (folder: string): Promise<boolean> => {
  await writeFile(join(folder, 'cgroup.subtree_control'), '+memory +pids').catch(() => undefined);
  const controllers = (await read(join(folder, 'cgroup.subtree_control'))).trim().split(' ');
  return controllers.includes('memory') && controllers.includes('pids');
};

/**
 * Cgroups that may have limited children, the best one first. A cgroup with processes can't have limited children, so
 * the service's own makes room: its processes move to a child, as systemd recommends for delegation
 * (https://systemd.io/CGROUP_DELEGATION).
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
    // Not permitted: limits are enforced without cgroups.
  }
};
