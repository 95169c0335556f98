import { MiB, type SandboxLimits } from '../limits/limits.ts';
import type { Tree } from '../tree/tree.ts';

/** Path of the proxy's socket inside a sandbox. */
export const PROXY_SOCKET = '/run/uptrail/proxy.sock';
/** The only writable folder inside a sandbox, apart from /dev/shm. */
export const FOLDER = '/tmp';
const HOSTNAME = 'script';
/** The user id inside a sandbox. It is unprivileged, whatever the user id outside is. */
const USER = 1_000;

/** Files in `/etc` that programs need. They contain no information about this machine. */
export const ETC: Readonly<Record<string, string>> = {
  passwd: `script:x:${USER}:${USER}::${FOLDER}:/nonexistent\n`,
  group: `script:x:${USER}:\n`,
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  'resolv.conf': '',
};

/** The environment variables of the program inside a sandbox. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  HOME: FOLDER,
  TMPDIR: FOLDER,
  PATH: '/nonexistent',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
};

export interface SandboxArguments {
  tree: Tree;
  limits: SandboxLimits;
  /** file descriptor to which bubblewrap writes the id of the first process */
  info: number;
  /** file descriptor from which bubblewrap reads the system call filter */
  seccomp: number;
  /** whether this bubblewrap can forbid user namespaces, in addition to the filter */
  disableUserNamespaces: boolean;
}

/** Returns the arguments of bubblewrap, without the program to run. */
export const sandboxArguments = (options: SandboxArguments): string[] => {
  const { tree, limits } = options;
  const megabytes = (count: number): string => (count * MiB).toString();
  return [
    ...['user', 'pid', 'ipc', 'uts', 'net', 'cgroup'].map((namespace) => `--unshare-${namespace}`),
    ...(options.disableUserNamespaces ? ['--disable-userns'] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--hostname', HOSTNAME, '--uid', USER.toString(), '--gid', USER.toString()],
    ...['--info-fd', options.info.toString(), '--seccomp', options.seccomp.toString()],
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--perms', '1777', '--size', megabytes(limits.shared), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--perms', '1777', '--size', megabytes(limits.disk), '--tmpfs', FOLDER],
    ...tree.binds.flatMap(({ from, to }) => ['--ro-bind', from, to]),
    ...tree.links.flatMap(({ target, at }) => ['--symlink', target, at]),
    ...['--chdir', FOLDER, '--remount-ro', '/'],
  ];
};
