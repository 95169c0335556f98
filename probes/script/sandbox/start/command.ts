import { MiB, type SandboxLimits } from '../limits/limits.ts';
import type { Bind } from '../tree/tree.ts';
import type { Programs } from './programs.ts';

/**
 * Script for the first process of a sandbox, before it executes the next program: it joins the cgroups, so that nothing
 * that follows is ever outside of them, and sets process limits on itself.
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
 * Script that runs in a mount namespace of its own, which disappears with it: mounts inaccessible files at accessible
 * paths.
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

/** Unit of `ulimit -f`, bytes. */
const BLOCK = 512;

export interface GroupMembership {
  /** files to write to (`limits/cgroups.ts`) */
  doors: readonly string[];
  limits: SandboxLimits;
  /** also limits the number of the user's processes; only for a user without other processes */
  ownUser: boolean;
}

/** A command that applies the limits and runs another one. */
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

/** A command that runs another one with some mounts. */
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

/** A command that drops all privileges and runs another one; as root, it switches to the user. */
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
