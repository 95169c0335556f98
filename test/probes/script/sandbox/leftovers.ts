import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownMark, startOf } from '../../../../probes/script/sandbox/processes.ts';

/** The resources that the sandboxes of a process use while they run. None of these may be left afterwards. */
export interface SandboxLeftovers {
  /** process ids with start times */
  processes: string[];
  /** number of mounts of all processes outside of sandboxes */
  mounts: number;
  /** folders of temporary files */
  folders: string[];
  /** cgroups */
  groups: string[];
  /** sockets of the proxies */
  sockets: string[];
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Returns whether a process has ended, even if its exit code was not collected yet. */
const isGone = (pid: string): boolean => /^State:\s+[ZX]/m.test(read(`/proc/${pid}/status`));

const namespaceOf = (pid: string): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return null;
  }
};

const folders = (parent: string): string[] => {
  try {
    return readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(parent, name));
  } catch {
    return [];
  }
};

const groupsBelow = (parent: string, mark: string, depth: number): string[] =>
  folders(parent).flatMap((folder) => {
    if (folder.endsWith(`/uptrail-scripts-${mark}`)) return [folder, ...folders(folder)];
    return depth > 0 ? groupsBelow(folder, mark, depth - 1) : [];
  });

/**
 * Lists what is left of the sandboxes of one process. Ignores the sandboxes of other processes on this machine.
 *
 * @param mark the value of UPTRAIL_SANDBOX in the environment of these sandboxes
 * @param known processes that were found in these sandboxes earlier
 */
export const findLeftovers = (mark = ownMark(), known: readonly string[] = []): SandboxLeftovers => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && !isGone(name))
    .map((pid) => ({
      name: `${pid}-${startOf(Number(pid)) ?? 'gone'}`,
      namespace: namespaceOf(pid),
      // The environment of bubblewrap contains the mark, outside and inside of the sandbox.
      marked: read(`/proc/${pid}/environ`).includes(`UPTRAIL_SANDBOX=${mark}`),
    }));
  const own = namespaceOf('self');
  const namespaces = new Set(all.filter(({ marked }) => marked).map(({ namespace }) => namespace));
  for (const none of [null, own]) namespaces.delete(none);
  return {
    processes: all
      .filter(({ name, namespace, marked }) => marked || namespaces.has(namespace) || known.includes(name))
      .map(({ name }) => name),
    mounts: read('/proc/self/mountinfo').split('\n').length,
    folders: readdirSync(tmpdir()).filter((name) => name.startsWith(`uptrail-sandboxes-${mark}-`)),
    groups: groupsBelow('/sys/fs/cgroup', mark, 4),
    sockets: read('/proc/net/unix')
      .split('\n')
      .flatMap((line) => new RegExp(`(\\S*uptrail-sandboxes-${mark}-\\S*)$`).exec(line)?.[1] ?? []),
  };
};
