import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the cgroups of this process. A field is null if this machine has no such hierarchy. */
export interface Hierarchies {
  memory: string | null;
  pids: string | null;
  /** the cgroup of version 2 */
  unified: { folder: string; root: string } | null;
}

interface Mount {
  /** path of the cgroup that is mounted */
  root: string;
  point: string;
  type: string;
  options: string[];
}

const text = (file: string): string => {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
};

const mounts = (): Mount[] =>
  text('/proc/self/mountinfo')
    .split('\n')
    .flatMap((line) => {
      const [before, after] = line.split(' - ');
      const [, , , root, point] = before?.split(' ') ?? [];
      const [type, , options] = after?.split(' ') ?? [];
      return root !== undefined && point !== undefined && type?.startsWith('cgroup')
        ? [{ root, point, type, options: options?.split(',') ?? [] }]
        : [];
    });

/** Returns the folder of a cgroup below a mount; null if the mount does not contain it, as in some containers. */
const folderOf = ({ root, point }: Mount, path: string): string | null => {
  if (root === '/') return join(point, path);
  if (path === root || path.startsWith(`${root}/`)) return join(point, path.slice(root.length));
  return null;
};

/** Finds the cgroups of this process. */
export const hierarchies = (): Hierarchies => {
  const all = mounts();
  const lines = text('/proc/self/cgroup')
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line));
  const first = (controller: string): string | null => {
    const path = lines.find((line) => line?.[1]?.split(',').includes(controller))?.[2];
    const mount = all.find(({ type, options }) => type === 'cgroup' && options.includes(controller));
    return path !== undefined && mount ? folderOf(mount, path) : null;
  };
  const path = lines.find((line) => line?.[1] === '')?.[2];
  const mount = all.find(({ type }) => type === 'cgroup2');
  const folder = path !== undefined && mount ? folderOf(mount, path) : null;
  return {
    memory: first('memory'),
    pids: first('pids'),
    unified: folder !== null && mount ? { folder, root: mount.point } : null,
  };
};

const parentOf = (pid: number): number => {
  const stat = text(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
};

/**
 * Returns whether the members of this process's cgroup belong to this service only, which is the case if all descend
 * from one process that was started by init.
 */
export const ownService = (members: readonly number[]): boolean => {
  if (!members.includes(process.pid)) return false;
  const heads = members.filter((pid) => !members.includes(parentOf(pid)));
  return heads.length === 1 && heads.every((pid) => pid === 1 || parentOf(pid) <= 1);
};
