import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../../../network/clock.ts';
import type { Boot, ScriptKind } from '../../protocol.ts';
import { claimIdentity } from '../identities.ts';
import type { Groups } from '../limits/cgroups.ts';
import { LIMITS } from '../limits/limits.ts';
import { excessOfSandbox } from '../limits/supervisor.ts';
import { killed, ownMark, startOf } from '../processes.ts';
import type { Inside } from '../tree/inside.ts';
import { reachable } from '../tree/reach.ts';
import type { Tree } from '../tree/tree.ts';
import { ETC, FOLDER, PROXY_SOCKET, sandboxArguments } from './arguments.ts';
import { boundProcesses } from './bounded.ts';
import { nothingElse } from './inherited.ts';
import { limited, staged, unprivileged } from './command.ts';
import type { Home } from './home.ts';
import { MARK, PATH, type Programs } from './programs.ts';
import { running, type Running } from './running.ts';

/** File descriptors of bubblewrap; none of them is open inside. */
const INFO = 4;
const ARGUMENTS = 5;
const SECCOMP = 6;

/** How long bubblewrap may take to say who the first process inside is, before it is killed itself, milliseconds. */
const INFO_PATIENCE_MS = 5_000;
/** How long it may take to end when all inside has, milliseconds. */
const END_PATIENCE_MS = 5_000;

/** Whatever judges the connections of a sandbox. */
export interface Proxy {
  close: () => Promise<void> | void;
}

/** What starts sandboxes needs, besides what is inside. */
export interface Machinery {
  home: Home;
  programs: Programs;
  /** null: looks of our own hold the limits */
  groups: Groups | null;
  clock: Clock;
}

/** A tree of processes that was started, and what it has to be told first. */
export interface Started<P extends Proxy> {
  running: Running;
  boot: Boot;
  proxy: P;
  /** resolves when it is held to its processes: nothing that somebody else wrote may run before */
  bounded: Promise<void>;
}

export interface StartOptions<P extends Proxy> {
  kind: ScriptKind;
  /** names it among all of this process */
  name: string;
  inside: Inside;
  machinery: Machinery;
  proxyFor: (socketPath: string) => Promise<P>;
  /** what Node.js is run with inside, instead of the program that speaks frames */
  instead?: readonly string[];
}

/** Whether this process may become other users. */
export const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Starts a program in a sandbox. It sees what its tree says and nothing else, has no rights, no network and a
 * user of its own, and is gone with all that it has started when it ends, is ended, or this process is gone.
 */
export const startSandboxed = async <P extends Proxy>(options: StartOptions<P>): Promise<Started<P>> => {
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
    const folder = await home.forOne(name);
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
    // Who is not root stays who it is, and reaches what it reaches.
    const { tree, stages } = identity ? reachable(whole, home.stage) : { tree: whole, stages: [] };
    const told = sandboxArguments({
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
      { doors: group?.doors ?? [], limits, ownUser: identity !== null },
      staged(home.stage, stages, unprivileged(programs, identity?.uid ?? null, inner)),
    );
    const child = begun(command, home.seccomp, told);
    const init = firstProcess(child);
    const bounded = init.told.then((first) =>
      group || identity || first === null ? undefined : boundProcesses(first, limits, programs),
    );

    return {
      bounded,
      running: running({
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

/** Starts bubblewrap by the command that leads to it. */
const begun = ([program, ...rest]: [string, ...string[]], seccomp: string, told: readonly string[]): ChildProcess => {
  const filter = openSync(seccomp, 'r');
  try {
    const child = spawn(program, rest, {
      cwd: '/',
      // The first process inside keeps it, where all others can read it.
      env: { PATH, [MARK]: ownMark() },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', filter, ...nothingElse(SECCOMP + 1)],
    });
    const toldBy = (child.stdio as readonly unknown[])[ARGUMENTS] as Writable | undefined;
    toldBy?.on('error', () => undefined);
    toldBy?.end(told.map((argument) => `${argument}\0`).join(''));
    return child;
  } finally {
    closeSync(filter);
  }
};

/** The first process inside, whose end is that of all others. */
interface FirstProcess {
  /** null: it is not known (yet), or is gone */
  known: () => number | null;
  /** resolves with it; null: it never was */
  told: Promise<number | null>;
}

const firstProcess = (child: ChildProcess): FirstProcess => {
  let pid: number | null = null;
  let start: string | null = null;
  const told = new Promise<number | null>((resolve) => {
    const info = child.stdio[INFO] as Readable | undefined;
    let said = '';
    info?.setEncoding('latin1').on('data', (text: string) => {
      said += text;
      const digits = /"child-pid":\s*(\d+)/.exec(said)?.[1];
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
    // Another process may have its number by now.
    known: () => (pid !== null && start !== null && startOf(pid) === start ? pid : null),
    told,
  };
};

/**
 * Kills the first process inside: the kernel kills all others before it is gone itself, and then bubblewrap ends. Killing
 * that instead would do the same, but nobody would know when it is done.
 */
const endAll = (child: ChildProcess, init: FirstProcess, clock: Clock): void => {
  const insist = (): void => {
    child.kill('SIGKILL');
  };
  const cancelWait = clock.after(INFO_PATIENCE_MS, insist);
  void init.told.then((pid) => {
    cancelWait();
    if (pid === null) return;
    const first = init.known();
    if (first !== null) killed(first);
    const cancel = clock.after(END_PATIENCE_MS, insist);
    child.once('exit', cancel);
  });
};
