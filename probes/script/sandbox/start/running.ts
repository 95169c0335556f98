import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Duplex, Readable } from 'node:stream';
import type { Clock } from '../../../../network/clock.ts';
import type { ScriptEnd } from '../../record.ts';
import { LOOK_MS, type Excess, type SandboxLimits } from '../limits/limits.ts';

/** How a sandbox ended. */
export type SandboxEnd =
  /** it was asked to */
  { how: 'ended' } | Extract<ScriptEnd, { how: 'memory' | 'processes' | 'died' }>;

/** A tree of processes that is limited and watched, and ends as a whole. */
export interface Running {
  /** the stream that frames go over */
  control: Duplex;
  /** What is not read stays where it is, and whoever writes more waits. */
  stdout: Readable;
  stderr: Readable;
  /** resolves when nothing of it is left: no process, mount, file, socket or group */
  ended: Promise<SandboxEnd>;
  /** Kills all of it at once, and resolves when nothing is left. What it has said can be read for some seconds more. */
  end: () => Promise<void>;
  /** Throws away what it has said. */
  forget: () => void;
  /** resolves when that was done, at the latest some seconds after the end */
  forgotten: Promise<void>;
}

export interface RunningOptions {
  child: ChildProcess;
  limits: SandboxLimits;
  clock: Clock;
  /** kills all processes; those that come to be meanwhile, too */
  kill: () => void;
  /** which limit was passed so far */
  excess: () => Promise<Excess | null>;
  /** takes away what is left when the first process has ended */
  clean: () => Promise<void>;
}

/** Some have several names, of which the first is the one that people know. */
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);

/** A shell and bubblewrap tell signals by codes from here on. */
const SIGNALLED = 128;

/** `it ended with code 3`, `it was ended by SIGSEGV` */
const causeOf = (code: number | null, signal: string | null): string => {
  const name = signal ?? (code === null ? undefined : SIGNALS.get(code - SIGNALLED));
  return name === undefined ? `it ended with code ${code ?? 0}` : `it was ended by ${name}`;
};

/** How long what was said stays to be read after the end, milliseconds. */
const LINGER_MS = 5_000;

/** Watches a tree of processes from its start to its end. */
export const running = (options: RunningOptions): Running => {
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
    cancelLook = clock.after(LOOK_MS, () => {
      void exceeded().then((how) => {
        if (over) return;
        if (how) endAs(how);
        else look();
      });
    });
  };

  // One whose other end is gone says so when it is written to, or read.
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
      // What the kernel did is known a little later than that somebody was killed.
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
