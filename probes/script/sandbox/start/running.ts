import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import type { Clock } from '../../../../network/clock.ts';
import type { ScriptEnd } from '../../record.ts';
import { SUPERVISION_INTERVAL_MS, type ExceededLimit, type SandboxLimits } from '../limits/limits.ts';

/** How a sandbox ended. */
export type SandboxEnd =
  /** `end` was called */
  { how: 'ended' } | Extract<ScriptEnd, { how: 'memory' | 'processes' | 'died' }>;

/** A tree of processes that is limited, watched, and ended as a whole. */
export interface RunningTree {
  /** the stream of frames (../../protocol.ts) */
  control: Duplex;
  /** output of the processes; unread output blocks them */
  stdout: Readable;
  stderr: Readable;
  /** resolves when the tree is completely removed, with its processes, mounts, files, sockets and cgroups */
  ended: Promise<SandboxEnd>;
  /** Kills all processes immediately. Resolves like `ended`. The output remains readable for some seconds. */
  end: () => Promise<void>;
  /** Discards the output. */
  forget: () => void;
  /** resolves when the output was discarded, which happens some seconds after the end at the latest */
  forgotten: Promise<void>;
}

export interface RunningOptions {
  child: ChildProcess;
  limits: SandboxLimits;
  clock: Clock;
  /** kills all processes, including those that start at this moment */
  kill: () => void;
  /** returns the limit that was exceeded; null if no limit was exceeded */
  excess: () => Promise<ExceededLimit | null>;
  /** removes everything that is left when the first process has ended */
  clean: () => Promise<void>;
}

/** Names of signals by number. If a signal has several names, this is the common one, which Node.js lists first. */
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** Shells and bubblewrap add this number to the number of a signal to form an exit code. */
const SIGNALLED = 128;

/** Returns `it ended with code 3` or `it was ended by SIGSEGV`. */
const causeOf = (code: number | null, signal: string | null): string => {
  const name = signal ?? (code === null ? undefined : SIGNALS.get(code - SIGNALLED));
  return name === undefined ? `it ended with code ${code ?? 0}` : `it was ended by ${name}`;
};

/** How long output remains readable after the end, in milliseconds. */
const LINGER_MS = 5_000;

/** Watches a tree of processes from start to end. */
export const watchTree = (options: RunningOptions): RunningTree => {
  const { child, limits, clock, kill, excess, clean } = options;
  const [, stdout, stderr, control] = child.stdio as unknown as [null, Readable, Readable, Duplex];
  let end: SandboxEnd | null = null;
  let over = false;
  let cancelLook = (): void => undefined;

  const endAs = (how: SandboxEnd): void => {
    end ??= how;
    kill();
  };

  const exceeded = async (): Promise<SandboxEnd | null> => {
    const limit = await excess();
    return limit === null ? null : { how: limit, limit: limits[limit] };
  };

  const look = (): void => {
    cancelLook = clock.after(SUPERVISION_INTERVAL_MS, () => {
      void exceeded().then((how) => {
        if (over) return;
        if (how) endAs(how);
        else look();
      });
    });
  };

  // Ignores the errors of reads and writes after the other end has closed.
  for (const stream of [control, stdout, stderr]) stream.on('error', () => undefined);

  let cancelLinger = (): void => undefined;
  let onForgotten = (): void => undefined;
  const forgotten = new Promise<void>((resolve) => {
    onForgotten = resolve;
  });
  const forget = (): void => {
    cancelLinger();
    for (const stream of [control, stdout, stderr]) stream.destroy();
    onForgotten();
  };

  const ended = new Promise<SandboxEnd>((resolve) => {
    const onEnd = (how: SandboxEnd): void => {
      if (over) return;
      over = true;
      cancelLook();
      // The kernel may have killed the process because of a limit, but reports the exceeded limit slightly after the
      // end of the process.
      const asked = end;
      void (asked ? Promise.resolve(asked) : exceeded()).then(async (known) => {
        await clean();
        cancelLinger = clock.after(LINGER_MS, forget);
        resolve(known ?? how);
      });
    };
    child.on('error', (error) => {
      if (child.pid === undefined) onEnd({ how: 'died', cause: `it could not be started: ${error.message}` });
    });
    child.on('exit', (code, signal) => {
      onEnd({ how: 'died', cause: causeOf(code, signal) });
    });
  });
  look();

  return {
    control,
    stdout,
    stderr,
    ended,
    end: async () => {
      if (!over) endAs({ how: 'ended' });
      await ended;
    },
    forget,
    forgotten,
  };
};
