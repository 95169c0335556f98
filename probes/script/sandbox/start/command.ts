import { MiB, type SandboxLimits } from '../limits/limits.ts';
import type { Bind } from '../tree/tree.ts';
import type { Programs } from './programs.ts';

/**
 * Shell script for the first process of a sandbox. It joins the cgroups and sets process limits on itself before it
 * executes the next program, so that the cgroups and limits apply to all programs that follow.
 */
const JOIN = `set -e
doors=$1; shift
while [ "$doors" -gt 0 ]; do echo 0 > "$1"; shift; doors=$((doors - 1)); done
ulimit -c 0; ulimit -n "$1"; ulimit -f "$2"; shift 2
if [ "$1" != 0 ]; then
  if (ulimit -u "$1") 2>/dev/null; then ulimit -u "$1"; elif (ulimit -p "$1") 2>/dev/null; then ulimit -p "$1"; fi
fi
shift
exec "$@"`;

/**
 * Shell script that mounts files at other paths, where the sandbox's user can reach them, and executes the next
 * program. It runs in a separate mount namespace, so the mounts disappear when the program ends.
 */
const STAGE = `set -e
mount -t tmpfs -o mode=0755,size=1m uptrail "$1"; shift
stages=$1; shift
while [ "$stages" -gt 0 ]; do
  if [ -d "$1" ]; then mkdir "$2"; else : > "$2"; fi
  mount --rbind "$1" "$2"; shift 2
  stages=$((stages - 1))
done
exec "$@"`;

/** Unit of `ulimit -f`, in bytes. */
const BLOCK = 512;

export interface GroupMembership {
  /** `memberFiles` of the cgroup (../limits/cgroups.ts) */
  doors: readonly string[];
  limits: SandboxLimits;
  /** if true, the number of the user's processes is limited too; only for a user without other processes */
  ownUser: boolean;
}

/** Returns a command that joins the cgroup, applies the limits, and runs another command. */
export const limited = (
  { doors, limits, ownUser }: GroupMembership,
  command: readonly string[],
): [string, ...string[]] => [
  '/bin/sh',
  '-c',
  JOIN,
  'sh',
  doors.length.toString(),
  ...doors,
  limits.files.toString(),
  ((limits.disk * MiB) / BLOCK).toString(),
  (ownUser ? limits.tasks : 0).toString(),
  ...command,
];

/** Returns a command that runs another command with some mounts. */
export const staged = (folder: string, stages: readonly Bind[], command: readonly string[]): readonly string[] =>
  stages.length === 0
    ? command
    : [
        ...['unshare', '--mount', '--propagation', 'private', '--', '/bin/sh', '-c', STAGE, 'sh'],
        folder,
        stages.length.toString(),
        ...stages.flatMap(({ from, to }) => [from, to]),
        ...command,
      ];

/**
 * Returns a command that drops all privileges and runs another command.
 *
 * @param uid the user to switch to, if this process is root; otherwise null
 */
export const unprivileged = (
  { setpriv }: Pick<Programs, 'setpriv'>,
  uid: number | null,
  command: readonly string[],
): readonly string[] => [
  setpriv,
  ...(uid === null ? [] : [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--bounding-set=-all']),
  ...['--inh-caps=-all', '--ambient-caps=-all', '--no-new-privs', '--'],
  ...command,
];
