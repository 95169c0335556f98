import { MiB, type SandboxLimits } from '../limits/limits.ts';
import type { Bind } from '../tree/tree.ts';
import type { Programs } from './programs.ts';

/**
 * What the first process of a sandbox does before it becomes the next program: it joins the groups that limit it,
 * so that nothing which follows is ever outside of them, and takes the limits of processes upon itself.
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

/** In mounts of its own, which are gone with it: shows what others can't reach at paths that they can. */
const STAGE = `set -e
mount -t tmpfs -o mode=0755,size=1m uptrail "$1"; shift
stages=$1; shift
while [ "$stages" -gt 0 ]; do
  if [ -d "$1" ]; then mkdir "$2"; else : > "$2"; fi
  mount --rbind "$1" "$2"; shift 2
  stages=$((stages - 1))
done
exec "$@"`;

/** Blocks that `ulimit -f` counts in, bytes. */
const BLOCK = 512;

export interface Joined {
  /** files to write to (`limits/cgroups.ts`) */
  doors: readonly string[];
  limits: SandboxLimits;
  /** limits the processes of the user, too; only for a user that has no others */
  ownUser: boolean;
}

/** A command that runs within limits. */
export const limited = ({ doors, limits, ownUser }: Joined, command: readonly string[]): [string, ...string[]] => [
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

/** A command that sees some things elsewhere. */
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

/** A command that has no rights; one of root becomes the user. */
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
