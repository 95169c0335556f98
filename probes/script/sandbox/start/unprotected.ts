import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LIMITS } from '../limits/limits.ts';
import { excessOf } from '../limits/supervisor.ts';
import { killed, ownMark } from '../processes.ts';
import type { InsidePaths } from '../tree/sandbox-content.ts';
import { ENVIRONMENT } from './arguments.ts';
import { withoutInheritedFiles } from './inherited-files.ts';
import { limited } from './command.ts';
import { MARK, PATH } from './programs.ts';
import { watchTree } from './running.ts';
import type { SandboxDependencies, Proxy, StartedTree, StartOptions } from './sandboxed.ts';

export interface UnprotectedOptions<P extends Proxy> extends Omit<StartOptions<P>, 'inside' | 'machinery' | 'instead'> {
  places: InsidePaths;
  machinery: Omit<SandboxDependencies, 'programs'>;
}

/**
 * Starts the program without a sandbox, if the operator has turned sandboxes off. The program can access everything
 * that this process can access. The program has its own process group, and the limits apply as far as they can be
 * enforced.
 */
export const startUnprotected = async <P extends Proxy>(options: UnprotectedOptions<P>): Promise<StartedTree<P>> => {
  const { kind, name, places, machinery, proxyFor } = options;
  const { home, groups, clock } = machinery;
  const limits = LIMITS[kind];
  const undo: (() => Promise<void> | void)[] = [];
  const clean = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };

  try {
    const own = await home.createFor(name);
    undo.push(() => rm(own, { recursive: true, force: true }));
    const folder = join(own, 'files');
    await mkdir(folder, { mode: 0o700 });
    const socket = join(own, 'proxy.sock');
    const proxy = await proxyFor(socket);
    undo.push(() => proxy.close());
    const group = groups ? await groups.make(name, limits) : null;
    if (group) undo.push(() => group.remove());

    const mark = `${ownMark()}-${name}`;
    const [program, ...rest] = limited({ doors: group?.memberFiles ?? [], limits, ownUser: false }, [
      places.node,
      places.main,
    ]);
    const child = spawn(program, rest, {
      cwd: folder,
      // Creates a separate session, so that a signal to the process group reaches no other process.
      detached: true,
      env: { ...ENVIRONMENT, HOME: folder, TMPDIR: folder, PATH, [MARK]: mark },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...withoutInheritedFiles(4)],
    });
    const processes = async (): Promise<number[]> => group?.processes() ?? processesOf(child.pid ?? 0, mark);
    undo.push(async () => {
      // Processes that have left the group are killed one by one.
      for (let left = await processesOf(child.pid ?? 0, mark); left.length > 0;) {
        for (const pid of left) killed(pid);
        await new Promise((resolve) => setImmediate(resolve));
        left = await processesOf(child.pid ?? 0, mark);
      }
    });

    return {
      running: watchTree({
        child,
        limits,
        clock,
        clean,
        kill: () => {
          if (child.pid !== undefined) killed(-child.pid);
        },
        excess: async () => (group ? group.excess() : excessOf(await processes(), limits)),
      }),
      proxy,
      bounded: Promise.resolve(),
      boot: {
        type: 'boot',
        kind,
        proxySocket: socket,
        folder,
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

interface Known {
  pid: number;
  parent: number;
  session: number;
  zombie: boolean;
}

const known = async (pid: number): Promise<Known | null> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    const [state, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), session: Number(session), zombie: state === 'Z' };
  } catch {
    return null;
  }
};

/**
 * Returns the processes of a run: the first process, the processes of its session, those with the mark in their
 * environment, and the descendants of all these.
 */
const processesOf = async (first: number, mark: string): Promise<number[]> => {
  const all = await Promise.all(
    (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map((name) => known(Number(name))),
  );
  const there = all.filter((one) => one !== null && !one.zombie) as Known[];
  const ours = new Set(there.filter(({ pid, session }) => pid === first || session === first).map(({ pid }) => pid));
  for (const { pid } of there) {
    if (ours.has(pid)) continue;
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    if (environment.split('\0').includes(`${MARK}=${mark}`)) ours.add(pid);
  }
  for (let size = -1; size !== ours.size;) {
    size = ours.size;
    for (const { pid, parent } of there) if (ours.has(parent)) ours.add(pid);
  }
  return [...ours];
};
