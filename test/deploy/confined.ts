import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isInstalled, PROJECT, run, type Ran } from './project.ts';
import { filteredBy, hasLibseccomp, type Filtering } from './seccomp/libseccomp.ts';

/** The restrictions under which a program runs. */
export interface Confinement {
  /** shell lines that root runs first, in its own mount namespace */
  mounts: readonly string[];
  /** the allowed system calls */
  calls: Filtering;
  /**
   * the commands that drop rights and then start the program: `before` runs before the system call filter is set, and
   * `after` runs under the filter
   */
  before: readonly string[];
  after: readonly string[];
}

/**
 * Returns whether this machine can run programs under the restrictions of services. If not, prints a line that counts
 * as a skip.
 */
export const canConfine = async (): Promise<boolean> => {
  if (!(hasLibseccomp() && (await isInstalled('bwrap')) && (await isInstalled('setpriv')))) return false;
  if (spawnSync('unshare', ['--mount', 'true']).status === 0) return true;
  console.log('skipped: mount namespaces are not allowed here');
  return false;
};

/** Unprivileged users may not enter the folders of the project and of Node.js, so both are mounted under this path. */
const REACHED = '/mnt';
const PROJECT_THERE = join(REACHED, 'project');
const NODE_THERE = join(REACHED, 'node');
const PROFILE_THERE = join(REACHED, 'profile.json');

/** The folder of Node.js. It is mounted under `REACHED`, unless it is /usr, which every program can read. */
const prefix = dirname(dirname(process.execPath));
const node = prefix === '/usr' ? process.execPath : join(NODE_THERE, relative(prefix, process.execPath));

const reaching = (profile: string): string[] => [
  `mount -t tmpfs -o mode=755 reached ${REACHED}`,
  `mkdir ${PROJECT_THERE} ${NODE_THERE} && cp ${profile} ${PROFILE_THERE} && chmod 644 ${PROFILE_THERE}`,
  `mount --bind ${PROJECT} ${PROJECT_THERE}`,
  ...(prefix === '/usr' ? [] : [`mount --bind ${prefix} ${NODE_THERE}`]),
];

const DEVICES_THERE = join(REACHED, 'dev');

/** Commands that replace /dev by one with only the usual devices. */
export const OWN_DEVICES = [
  `mkdir ${DEVICES_THERE} && mount -t tmpfs -o nosuid,mode=755 dev ${DEVICES_THERE} && cd ${DEVICES_THERE}`,
  'cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty .',
  'mkdir pts shm && ln -s pts/ptmx ptmx && mount -t devpts -o newinstance,ptmxmode=666 pts pts',
  `mount -t tmpfs -o nosuid,nodev,noexec,mode=1777 shm shm && cd / && mount --move ${DEVICES_THERE} /dev`,
];

/** Returns a command that makes paths read-only by mounting over them. */
export const readOnly = (...paths: readonly string[]): string =>
  `for path in ${paths.join(' ')}; do if [ -e "$path" ]; then mount --bind "$path" "$path" && mount -o remount,bind,ro "$path"; fi; done`;

/**
 * Runs a module of the project in Node.js, under restrictions.
 *
 * @param folder receives the profile of system calls
 */
export const runConfined = async (
  folder: string,
  { mounts, calls, before, after }: Confinement,
  ...module: readonly string[]
): Promise<Ran> => {
  const profile = join(folder, 'profile.json');
  writeFileSync(profile, JSON.stringify(calls));
  const lines = [...reaching(profile), ...mounts, `cd ${PROJECT_THERE}`, 'exec "$@"'];
  return run(
    'unshare',
    [
      ...['--mount', '--propagation', 'private', '--', 'sh', '-c', lines.join(' && '), 'sh'],
      ...[...before, ...filteredBy(PROFILE_THERE), ...after],
      ...[node, ...module],
    ],
    { environment: { TMPDIR: '/tmp' } },
  );
};
