import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownMark, startOf } from '../../../../probes/script/sandbox/processes.ts';

/** What the sandboxes of a process have while they run, and may not leave. */
export interface SandboxLeftovers {
  /** by their numbers and starts */
  processes: string[];
  /** of all processes that are not in a sandbox */
  mounts: number;
  /** folders of temporary files */
  folders: string[];
  /** groups of processes */
  groups: string[];
  /** sockets of proxies */
  sockets: string[];
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Ended, even if its exit code was not collected yet. */
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
 * Counts what is left of a process's sandboxes on this machine, from outside. Other processes may have their own.
 *
 * @param mark of the process
 * @param known earlier processes of other sandboxes
 */
export const findLeftovers = (mark = ownMark(), known: readonly string[] = []): SandboxLeftovers => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && !isGone(name))
    .map((pid) => ({
      name: `${pid}-${startOf(Number(pid)) ?? 'gone'}`,
      namespace: namespaceOf(pid),
      // bubblewrap has the mark, inside and outside.
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
