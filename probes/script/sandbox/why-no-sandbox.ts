import { writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { systemClock, type Clock } from '../../../network/clock.ts';
import { usableRange } from './identities.ts';
import { thisMachine } from './seccomp/filter.ts';
import { openSandboxFolders } from './start/sandbox-folders.ts';
import { programsHere, type Programs } from './start/programs.ts';
import { startSandboxed } from './start/sandboxed.ts';
import { nodeOnlyContent } from './tree/sandbox-content.ts';

/** Time limit of the trial, in milliseconds. */
const PATIENCE_MS = 20_000;
/** Maximum number of stored characters, counted from the end of the output. */
const KEPT = 4_000;

/** Error messages of bubblewrap and setpriv, each with an explanation for administrators. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /uid map: (Permission denied|Operation not permitted)/,
    'AppArmor forbids user namespaces to bubblewrap (a profile of its own with userns allows them, or sysctl kernel.apparmor_restrict_unprivileged_userns=0).',
  ],
  [
    /No permissions to creat\w* new namespace|Creating new namespace failed|unshare user ns/,
    'The kernel, the container or the unit forbids user namespaces (sysctl kernel.unprivileged_userns_clone and user.max_user_namespaces, the seccomp profile of the container, RestrictNamespaces of the unit).',
  ],
  [
    /mount proc on|mount proc: Operation not permitted/,
    'The container or the unit hides parts of /proc, so there can be none in a sandbox (systempaths=unconfined shows them in a container, ProtectKernelTunables=no and ProtectKernelLogs=no in a unit).',
  ],
  [
    /set hostname/,
    'The container or the unit forbids to set the name of a sandbox (by its seccomp profile, SystemCallFilter or ProtectHostname).',
  ],
  [
    /pivot_root|[Ff]ailed to (mount|make)|mount.*(denied|not permitted|not implemented)|unshare failed/,
    'The container or the unit forbids mounts (by its seccomp or AppArmor profile, or SystemCallFilter).',
  ],
  [/loopback/, 'The kernel, the container or AppArmor forbids network namespaces to bubblewrap.'],
  [/SECCOMP|seccomp/, 'The kernel has no seccomp filters.'],
  [
    /setpriv: (setres|set|apply|activate|unsupported|libcap)/,
    'This process may not become another user (the capabilities SETUID, SETGID and SETPCAP allow it).',
  ],
];

const meaningOf = (said: string, cause: string): string => {
  const known = MEANINGS.find(([pattern]) => pattern.test(said))?.[1];
  const last = said.trim().split('\n').at(-1) ?? '';
  if (known !== undefined) return `${known.slice(0, -1)}: ${last}.`.replace(/\.\.$/, '.');
  return `A sandbox can't be started: ${last === '' ? cause : last.replace(/\.$/, '')}.`;
};

/**
 * Tests whether this machine can run sandboxes, by starting a minimal one.
 *
 * @returns null if this machine can run sandboxes; otherwise a sentence that says why it can't
 */
export const whyNoSandbox = async (clock: Clock = systemClock): Promise<string | null> => {
  if (process.platform !== 'linux') return 'Sandboxes need Linux.';
  const machine = thisMachine();
  if (machine === null) return `Sandboxes do not support machines of type ${process.arch}.`;
  const programs = await programsHere();
  if (typeof programs === 'string') return programs;
  if (process.getuid?.() === 0 && usableRange() === null)
    return "This process can't switch to any of the user ids for sandboxes.";
  const home = await openSandboxFolders(machine);
  try {
    return await tried(programs, home, clock);
  } catch (error) {
    return meaningOf('', error instanceof Error ? error.message : String(error));
  } finally {
    await home.remove();
  }
};

const tried = async (
  programs: Programs,
  home: Awaited<ReturnType<typeof openSandboxFolders>>,
  clock: Clock,
): Promise<string | null> => {
  const { running } = await startSandboxed({
    kind: 'multistep',
    name: 'trial',
    inside: nodeOnlyContent(),
    machinery: { home, programs, groups: null, clock },
    proxyFor: async (path) => {
      await writeFile(path, '');
      return { close: () => undefined };
    },
    instead: ['--version'],
  });
  const [stdout, stderr] = [textOf(running.stdout), textOf(running.stderr)];
  const late = new Promise<string>((resolve) => {
    const cancel = clock.after(PATIENCE_MS, () => {
      void running.end().then(() => {
        resolve(`A sandbox was not ready after ${PATIENCE_MS / 1_000} s.`);
      });
    });
    void running.ended.then(cancel);
  });
  const end = running.ended.then(async ({ how, ...more }) =>
    (await stdout).trim() === process.version ? null : meaningOf(await stderr, 'cause' in more ? more.cause : how),
  );
  return Promise.race([end, late]);
};

/** Reads a stream to the end, and returns the end of its text. */
const textOf = async (stream: Readable): Promise<string> => {
  let text = '';
  for await (const chunk of stream) text = (text + String(chunk)).slice(-KEPT);
  return text;
};
