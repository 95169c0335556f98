import { join } from 'node:path';
import type { Clock } from '../../../network/clock.ts';
import type { ScriptKind } from '../protocol.ts';
import { openCgroups, type Cgroups } from './limits/cgroups.ts';
import type { LimitedBy } from './limits/limits.ts';
import { createPool, type Pool, type PoolState } from './pool.ts';
import { thisMachine } from './seccomp/filter.ts';
import { openSandboxFolders } from './start/sandbox-folders.ts';
import { programsHere } from './start/programs.ts';
import { isRoot, startSandboxed, type Proxy, type StartedTree } from './start/sandboxed.ts';
import { startUnprotected } from './start/unprotected.ts';
import type { Sandbox } from './sandbox.ts';
import { killLeftovers } from './kill-leftovers.ts';
import { readableBy } from './tree/readable.ts';
import { sandboxContentOf, pathsWithoutSandbox, type SandboxSources } from './tree/sandbox-content.ts';
import { LocalFailure } from '../../../network/local-failure.ts';

/** The numbers of sandboxes of one kind. */
export interface SandboxCounts {
  /** number of unused sandboxes to keep ready */
  warm: number;
  /** maximum number of sandboxes, including those in use */
  most: number;
}

export interface SandboxesOptions<P extends Proxy> {
  /** `off` runs scripts without a sandbox; only operators can choose it */
  mode: 'sandbox' | 'off';
  sources: SandboxSources;
  /** the kinds to run */
  kinds: Partial<Record<ScriptKind, SandboxCounts>>;
  /** Starts a proxy that listens on a socket at this path and checks the connections of one sandbox. */
  proxyFor: (socketPath: string, kind: ScriptKind) => Promise<P>;
  clock: Clock;
  /** folder for sockets and other files, with a short path; default: the system's folder for temporary files */
  folder?: string;
  /** Called when a sandbox can't be started, unless the start of the previous sandbox failed too. */
  cannotStart?: (cause: string) => void;
  /** if true, cgroups are not used even if they are available; for tests */
  withoutGroups?: boolean;
}

export interface SandboxesState {
  mode: 'sandbox' | 'off';
  limitedBy: LimitedBy;
  kinds: Partial<Record<ScriptKind, PoolState>>;
}

export interface Sandboxes<P extends Proxy> {
  /**
   * Takes an unused sandbox, which the caller must end.
   *
   * @throws LocalFailure if no sandbox can be started
   * @throws the signal's reason if the signal aborts
   */
  take: (kind: ScriptKind, signal: AbortSignal) => Promise<Sandbox<P>>;
  state: () => SandboxesState;
  /** Ends all sandboxes. Resolves when they are completely removed. */
  stop: () => Promise<void>;
}

/**
 * Keeps sandboxes warm, because starting one takes longer than most scripts.
 *
 * @throws LocalFailure if this machine does not support sandboxes
 */
export const createSandboxes = async <P extends Proxy>(options: SandboxesOptions<P>): Promise<Sandboxes<P>> => {
  const { mode, sources, clock } = options;
  const machine = thisMachine();
  await killLeftovers();
  const programs = mode === 'sandbox' ? await programsHere() : null;
  if (typeof programs === 'string') throw new LocalFailure(programs);
  if (mode === 'sandbox' && machine === null)
    throw new LocalFailure(`Sandboxes do not support machines of type ${process.arch}.`);
  const groups: Cgroups | null = options.withoutGroups === true ? null : await openCgroups();
  const home = await openSandboxFolders(mode === 'sandbox' ? machine : null, options.folder);
  let count = 0;

  const readable = readableBy(join(home.path, 'copies'));

  const starter = async (kind: ScriptKind): Promise<() => Promise<StartedTree<P>>> => {
    const proxyFor = (socketPath: string): Promise<P> => options.proxyFor(socketPath, kind);
    if (!programs) {
      const places = pathsWithoutSandbox(kind, sources);
      const machinery = { home, groups, clock };
      return () => startUnprotected({ kind, name: `${++count}`, places, machinery, proxyFor });
    }
    const { tree, places } = sandboxContentOf(kind, sources);
    const { links } = tree;
    const inside = { tree: { binds: isRoot() ? await readable(tree.binds) : tree.binds, links }, places };
    const machinery = { home, groups, clock, programs };
    return () => startSandboxed({ kind, name: `${++count}`, inside, machinery, proxyFor });
  };

  const pools = new Map<ScriptKind, Pool<P>>();
  try {
    const starters = new Map<ScriptKind, () => Promise<StartedTree<P>>>();
    for (const kind of Object.keys(options.kinds) as ScriptKind[]) starters.set(kind, await starter(kind));
    for (const [kind, start] of starters) {
      const amount = options.kinds[kind] ?? { warm: 0, most: 1 };
      pools.set(kind, createPool({ ...amount, kind, clock, start, cannotStart: options.cannotStart }));
    }
  } catch (error) {
    await home.remove();
    await groups?.close();
    throw error;
  }

  return {
    take: async (kind, signal) => {
      const pool = pools.get(kind);
      if (!pool) throw new LocalFailure(`This runner has no sandboxes for ${kind} scripts.`);
      return pool.take(signal);
    },
    state: () => ({
      mode,
      limitedBy: groups?.by ?? 'supervisor',
      kinds: Object.fromEntries([...pools].map(([kind, pool]) => [kind, pool.state()])),
    }),
    stop: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.stop()));
      await groups?.close();
      await home.remove();
    },
  };
};
