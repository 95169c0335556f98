import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The cgroups of this process, as folders; null: no such hierarchy. */
export interface Hierarchies {
  memory: string | null;
  pids: string | null;
  /** version 2 */
  unified: { folder: string; root: string } | null;
}

interface Mount {
  /** the cgroup visible at the mount point */
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

/** The folder of a cgroup below a mount; null: not visible, as in containers that see only a part. */
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

/** Whether the members of our cgroup are this service only: all descend from a process that the system started. */
export const ownService = (members: readonly number[]): boolean => {
  if (!members.includes(process.pid)) return false;
  const heads = members.filter((pid) => !members.includes(parentOf(pid)));
  return heads.length === 1 && heads.every((pid) => pid === 1 || parentOf(pid) <= 1);
};
