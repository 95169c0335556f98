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
  /** the stream of frames */
  control: Duplex;
  /** Unread output blocks its writer. */
  stdout: Readable;
  stderr: Readable;
  /** resolves when nothing of it is left: no process, mount, file, socket or cgroup */
  ended: Promise<SandboxEnd>;
  /** Kills it immediately, and resolves when nothing is left. Its output remains readable for some seconds. */
  end: () => Promise<void>;
  /** Discards its output. */
  forget: () => void;
  /** resolves when the output was discarded, at the latest some seconds after the end */
  forgotten: Promise<void>;
}

export interface RunningOptions {
  child: ChildProcess;
  limits: SandboxLimits;
  clock: Clock;
  /** kills all processes, including those that start meanwhile */
  kill: () => void;
  /** the limit exceeded so far; null: none */
  excess: () => Promise<ExceededLimit | null>;
  /** removes what is left when the first process has ended */
  clean: () => Promise<void>;
}

/** Some signals have several names; the first is the common one. */
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** Exit codes of shells and bubblewrap for signals start here. */
const SIGNALLED = 128;

/** `it ended with code 3`, `it was ended by SIGSEGV` */
const causeOf = (code: number | null, signal: string | null): string => {
  const name = signal ?? (code === null ? undefined : SIGNALS.get(code - SIGNALLED));
  return name === undefined ? `it ended with code ${code ?? 0}` : `it was ended by ${name}`;
};

/** How long output remains readable after the end, milliseconds. */
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

  // Reads and writes fail when the other end has closed.
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
      // The kernel's report of a kill arrives slightly later than the end.
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
