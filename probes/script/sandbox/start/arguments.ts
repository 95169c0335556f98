import { MiB, type SandboxLimits } from '../limits/limits.ts';
import type { Tree } from '../tree/tree.ts';

/** The socket of the proxy, as seen inside. */
export const PROXY_SOCKET = '/run/uptrail/proxy.sock';
/** The only writable folder. */
export const FOLDER = '/tmp';
const HOSTNAME = 'script';
/** The user id inside: an unprivileged user, whatever the user outside. */
const USER = 1_000;

/** Files in `/etc` that programs need, without information about this machine. */
export const ETC: Readonly<Record<string, string>> = {
  passwd: `script:x:${USER}:${USER}::${FOLDER}:/nonexistent\n`,
  group: `script:x:${USER}:\n`,
  hosts: '127.0.0.1 localhost\n::1 localhost\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  'resolv.conf': '',
};

/** The environment of the program inside. */
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
  /** file descriptors for bubblewrap's output and input */
  info: number;
  seccomp: number;
  /** whether this bubblewrap can forbid user namespaces, in addition to the filter */
  disableUserNamespaces: boolean;
}

/** bubblewrap's arguments, without the program. */
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
