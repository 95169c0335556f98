import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../../../network/clock.ts';
import type { BootMessage, ScriptKind } from '../../protocol.ts';
import { claimIdentity } from '../identities.ts';
import type { Cgroups } from '../limits/cgroups.ts';
import { LIMITS } from '../limits/limits.ts';
import { excessOfSandbox } from '../limits/supervisor.ts';
import { killed, ownMark, startOf } from '../processes.ts';
import type { SandboxContent } from '../tree/sandbox-content.ts';
import { makeReachable } from '../tree/reachable.ts';
import type { Tree } from '../tree/tree.ts';
import { ETC, FOLDER, PROXY_SOCKET, sandboxArguments } from './arguments.ts';
import { limitProcesses } from './process-limit.ts';
import { withoutInheritedFiles } from './inherited-files.ts';
import { limited, staged, unprivileged } from './command.ts';
import type { SandboxFolders } from './sandbox-folders.ts';
import { MARK, PATH, type Programs } from './programs.ts';
import { watchTree, type RunningTree } from './running.ts';

/** File descriptors for bubblewrap. They are not open in the program inside. */
const INFO = 4;
const ARGUMENTS = 5;
const SECCOMP = 6;

/** How long bubblewrap may take to report the first process inside before it is killed, in milliseconds. */
const INFO_PATIENCE_MS = 5_000;
/** How long bubblewrap may take to end after all processes inside have ended, in milliseconds. */
const END_PATIENCE_MS = 5_000;

/** A proxy, which checks the connections of a sandbox. */
export interface Proxy {
  close: () => Promise<void> | void;
}

/** The dependencies for starting sandboxes, apart from the content of a sandbox. */
export interface SandboxDependencies {
  home: SandboxFolders;
  programs: Programs;
  /** null if ../limits/supervisor.ts enforces the limits */
  groups: Cgroups | null;
  clock: Clock;
}

/** A started tree of processes, with the first message to send to it. */
export interface StartedTree<P extends Proxy> {
  running: RunningTree;
  boot: BootMessage;
  proxy: P;
  /** resolves when the limit on the number of processes applies; no untrusted program may run before that */
  bounded: Promise<void>;
}

export interface StartOptions<P extends Proxy> {
  kind: ScriptKind;
  /** name of the sandbox, unique within this process */
  name: string;
  inside: SandboxContent;
  machinery: SandboxDependencies;
  proxyFor: (socketPath: string) => Promise<P>;
  /** arguments for Node.js inside, which replace the usual program */
  instead?: readonly string[];
}

/** Returns whether this process runs as root, so that it can switch to other users. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Starts a program in a sandbox. The program sees only the files in its tree, and has no privileges and no network. If
 * this process is root, the program runs under a user id of its own. When the program ends or is killed, or when this
 * process dies, all its child processes are killed too.
 */
export const startSandboxed = async <P extends Proxy>(options: StartOptions<P>): Promise<StartedTree<P>> => {
  const { kind, name, inside, machinery, proxyFor } = options;
  const { home, programs, groups, clock } = machinery;
  const limits = LIMITS[kind];
  const undo: (() => Promise<void> | void)[] = [];
  const clean = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };

  try {
    const identity = isRoot() ? await claimIdentity() : null;
    if (identity) undo.push(identity.release);
    const folder = await home.createFor(name);
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const socket = join(folder, 'proxy.sock');
    const proxy = await proxyFor(socket);
    undo.push(() => proxy.close());
    if (identity) await chown(socket, identity.uid, identity.uid);
    await chmod(socket, 0o600);
    const group = groups ? await groups.make(name, limits) : null;
    if (group) undo.push(() => group.remove());

    const whole: Tree = {
      binds: [
        ...Object.keys(ETC).map((file) => ({ from: join(home.etc, file), to: join('/etc', file) })),
        ...inside.tree.binds,
        { from: socket, to: PROXY_SOCKET },
      ],
      links: inside.tree.links,
    };
    // If this process is not root, the sandbox runs as the same user, which can reach all sources.
    const { tree, stages } = identity ? makeReachable(whole, home.stage) : { tree: whole, stages: [] };
    const parameters = sandboxArguments({
      tree,
      limits,
      info: INFO,
      seccomp: SECCOMP,
      disableUserNamespaces: programs.disablesUserNamespaces,
    });
    const { places } = inside;
    const inner = [
      ...[programs.bwrap, '--args', ARGUMENTS.toString(), '--'],
      ...[places.node, ...(options.instead ?? [places.main])],
    ];
    const command = limited(
      { doors: group?.memberFiles ?? [], limits, ownUser: identity !== null },
      staged(home.stage, stages, unprivileged(programs, identity?.uid ?? null, inner)),
    );
    const child = begun(command, home.seccomp, parameters);
    const init = firstProcess(child);
    const bounded = init.whenKnown.then((first) =>
      group || identity || first === null ? undefined : limitProcesses(first, limits, programs),
    );

    return {
      bounded,
      running: watchTree({
        child,
        limits,
        clock,
        clean,
        kill: () => {
          endAll(child, init, clock);
        },
        excess: async () => {
          if (group) return group.excess();
          const first = init.known();
          return first === null ? null : excessOfSandbox(first, limits);
        },
      }),
      proxy,
      boot: {
        type: 'boot',
        kind,
        proxySocket: PROXY_SOCKET,
        folder: FOLDER,
        modules: places.modules,
        chromium: places.chromium,
        ffmpeg: places.ffmpeg,
        extraCertificates: places.extraCertificates,
      },
    };
  } catch (error) {
    await clean();
    throw error;
  }
};

/** Starts the command, and passes the arguments and the filter to bubblewrap. */
const begun = (
  [program, ...rest]: [string, ...string[]],
  seccomp: string,
  parameters: readonly string[],
): ChildProcess => {
  const filter = openSync(seccomp, 'r');
  try {
    const child = spawn(program, rest, {
      cwd: '/',
      // The first process inside keeps this environment, which other processes can read: it must contain no secrets.
      env: { PATH, [MARK]: ownMark() },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', filter, ...withoutInheritedFiles(SECCOMP + 1)],
    });
    const parametersPipe = (child.stdio as readonly unknown[])[ARGUMENTS] as Writable | undefined;
    parametersPipe?.on('error', () => undefined);
    parametersPipe?.end(parameters.map((argument) => `${argument}\0`).join(''));
    return child;
  } finally {
    closeSync(filter);
  }
};

/** The first process inside a sandbox. When it ends, the kernel ends all other processes inside. */
interface FirstProcess {
  /** Returns the id of the process; null if it is not known yet, or if the process has ended. */
  known: () => number | null;
  /** resolves to the id when it is known; to null if the process never existed */
  whenKnown: Promise<number | null>;
}

const firstProcess = (child: ChildProcess): FirstProcess => {
  let pid: number | null = null;
  let start: string | null = null;
  const whenKnown = new Promise<number | null>((resolve) => {
    const info = child.stdio[INFO] as Readable | undefined;
    let output = '';
    info?.setEncoding('latin1').on('data', (text: string) => {
      output += text;
      const digits = /"child-pid":\s*(\d+)/.exec(output)?.[1];
      if (digits === undefined || pid !== null) return;
      pid = Number(digits);
      start = startOf(pid);
      resolve(pid);
    });
    info?.on('error', () => undefined);
    for (const event of ['exit', 'error'] as const)
      child.on(event, () => {
        resolve(null);
      });
  });
  return {
    // Compares the start time, because another process may have this id by now.
    known: () => (pid !== null && start !== null && startOf(pid) === start ? pid : null),
    whenKnown,
  };
};

/**
 * Kills the first process inside. The kernel kills all other processes inside before the first one disappears, and then
 * bubblewrap ends. Killing bubblewrap would kill these processes too, but their end could not be observed.
 */
const endAll = (child: ChildProcess, init: FirstProcess, clock: Clock): void => {
  const insist = (): void => {
    child.kill('SIGKILL');
  };
  const cancelWait = clock.after(INFO_PATIENCE_MS, insist);
  void init.whenKnown.then((pid) => {
    cancelWait();
    if (pid === null) return;
    const first = init.known();
    if (first !== null) killed(first);
    const cancel = clock.after(END_PATIENCE_MS, insist);
    child.once('exit', cancel);
  });
};
