import type { Clock } from '../../../network/clock.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import { encode, framesOf, type Frame } from '../frames.ts';
import type { ScriptKind } from '../protocol.ts';
import type { Sandbox } from './sandbox.ts';
import type { Proxy, StartedTree } from './start/sandboxed.ts';
import type { SandboxEnd } from './start/running.ts';

/** Time limit for warming up, in milliseconds. */
const READY_MS = 30_000;
/**
 * Maximum age of an unused sandbox, in milliseconds. An older sandbox may contain outdated facts about the machine,
 * such as its certificates.
 */
const OLD_MS = 600_000;
/** Interval at which the age of unused sandboxes is checked, in milliseconds. */
const LOOK_MS = 15_000;
/** Minimum time between the start of a script and the start of a spare sandbox, in milliseconds. */
const CONSIDERATE_MS = 3_000;
/** Backoff after consecutive failures, in milliseconds. Further failures use the final value. */
const PAUSES_MS = [100, 400, 1_600, 6_400, 30_000];
/** Number of consecutive failures after which waiting runs fail. */
const HOPELESS = 3;
/** Maximum number of stored characters of the output of a sandbox that fails to start. */
const KEPT = 2_000;

export interface PoolState {
  /** number of sandboxes that are unused and ready */
  ready: number;
  starting: number;
  /** number of sandboxes that are in use or not yet completely removed */
  running: number;
  /** number of runs that wait for a sandbox */
  waiting: number;
  /** the reason why currently no sandbox can be started; null if there is no problem */
  trouble: string | null;
}

export interface PoolOptions<P extends Proxy> {
  kind: ScriptKind;
  warm: number;
  most: number;
  clock: Clock;
  start: () => Promise<StartedTree<P>>;
  cannotStart?: ((cause: string) => void) | undefined;
}

export interface Pool<P extends Proxy> {
  take: (signal: AbortSignal) => Promise<Sandbox<P>>;
  state: () => PoolState;
  stop: () => Promise<void>;
}

interface Warm<P extends Proxy> {
  sandbox: Sandbox<P>;
  since: number;
  /** Stops reading the output of the sandbox, so that the run can read it. */
  handOver: () => void;
}

interface Waiting<P extends Proxy> {
  resolve: (sandbox: Sandbox<P>) => void;
  reject: (reason: Error) => void;
}

/** Keeps a number of sandboxes of one kind warm. Each is used for only one run. */
export const createPool = <P extends Proxy>(options: PoolOptions<P>): Pool<P> => {
  const { kind, warm, most, clock } = options;
  const ready: Warm<P>[] = [];
  const waiting: Waiting<P>[] = [];
  /** all started sandboxes whose output was not yet discarded, including sandboxes that have ended */
  const alive = new Set<StartedTree<P>>();
  const inUse = new Set<Sandbox<P>>();
  let starting = 0;
  let failures = 0;
  let trouble: string | null = null;
  let stopped = false;
  let cancelPause: (() => void) | null = null;
  let cancelLook: (() => void) | null = null;
  let lastTaken = -Infinity;

  /** Returns the number of sandboxes, including those that are starting. */
  const count = (): number => ready.length + inUse.size + starting;

  /**
   * Starts missing sandboxes. If runs wait for sandboxes, starts them immediately. Otherwise starts one at a time, and
   * none within {@link CONSIDERATE_MS} after the start of a script.
   */
  const fill = (): void => {
    if (stopped || cancelPause) return;
    while (starting < waiting.length && count() < most) void add();
    if (starting > 0 || ready.length >= warm || count() >= most) return;
    const rest = inUse.size > 0 ? lastTaken + CONSIDERATE_MS - clock.monotonic() : 0;
    if (rest <= 0) void add();
    else pause(rest);
  };

  const pause = (milliseconds: number): void => {
    cancelPause ??= clock.after(milliseconds, () => {
      cancelPause = null;
      fill();
    });
  };

  const add = async (): Promise<void> => {
    starting += 1;
    try {
      const one = await warmed(kind, options.start, clock, (started) => {
        alive.add(started);
        void started.running.forgotten.then(() => alive.delete(started));
        if (stopped) void started.running.end();
      });
      starting -= 1;
      failures = 0;
      trouble = null;
      keep(one);
    } catch (error) {
      starting -= 1;
      fail(error instanceof Error ? error.message : String(error));
    }
    fill();
  };

  const fail = (cause: string): void => {
    if (stopped) return;
    failures += 1;
    trouble = cause;
    if (failures === 1) options.cannotStart?.(cause);
    if (failures >= HOPELESS)
      for (const { reject } of waiting.splice(0)) reject(new LocalFailure(`No sandbox can be started: ${cause}`));
    pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0);
  };

  const keep = (one: Warm<P>): void => {
    void one.sandbox.ended.then(() => {
      inUse.delete(one.sandbox);
      remove(one);
      fill();
    });
    const first = waiting.shift();
    if (first) first.resolve(hand(one));
    else ready.push(one);
  };

  const remove = (one: Warm<P>): boolean => {
    const index = ready.indexOf(one);
    if (index >= 0) ready.splice(index, 1);
    return index >= 0;
  };

  const hand = (one: Warm<P>): Sandbox<P> => {
    lastTaken = clock.monotonic();
    inUse.add(one.sandbox);
    one.handOver();
    return one.sandbox;
  };

  const look = (): void => {
    cancelLook = clock.after(LOOK_MS, () => {
      for (const one of [...ready]) if (clock.monotonic() - one.since > OLD_MS && remove(one)) void one.sandbox.end();
      fill();
      look();
    });
  };

  fill();
  look();

  return {
    take: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason as Error);
          return;
        }
        if (stopped) {
          reject(new LocalFailure('The sandboxes are being stopped.'));
          return;
        }
        const one = ready.shift();
        if (one) {
          resolve(hand(one));
          fill();
          return;
        }
        const onAbort = (): void => {
          const index = waiting.indexOf(asked);
          if (index >= 0) waiting.splice(index, 1);
          reject(signal.reason as Error);
        };
        const asked: Waiting<P> = {
          resolve: (sandbox) => {
            signal.removeEventListener('abort', onAbort);
            resolve(sandbox);
          },
          reject: (reason) => {
            signal.removeEventListener('abort', onAbort);
            reject(reason);
          },
        };
        signal.addEventListener('abort', onAbort, { once: true });
        waiting.push(asked);
        if (cancelPause && failures === 0) {
          cancelPause();
          cancelPause = null;
        }
        fill();
      }),
    state: () => ({ ready: ready.length, starting, running: inUse.size, waiting: waiting.length, trouble }),
    stop: async () => {
      stopped = true;
      cancelPause?.();
      cancelLook?.();
      for (const { reject } of waiting.splice(0)) reject(new LocalFailure('The sandboxes are being stopped.'));
      while (alive.size > 0 || starting > 0) {
        await Promise.all(
          [...alive].map(async ({ running }) => {
            await running.end();
            running.forget();
            await running.forgotten;
          }),
        );
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
};

/**
 * Starts a sandbox, and waits until the program inside reports that it is ready.
 *
 * @throws LocalFailure if the program does not report that it is ready; the sandbox is removed in this case
 */
const warmed = async <P extends Proxy>(
  kind: ScriptKind,
  start: () => Promise<StartedTree<P>>,
  clock: Clock,
  onStart: (started: StartedTree<P>) => void,
): Promise<Warm<P>> => {
  const started = await start();
  onStart(started);
  const { running, proxy, boot, bounded } = started;
  const { control, stdout, stderr, ended, end } = running;
  let said = '';
  const onText = (chunk: Buffer): void => {
    said = (said + chunk.toString('utf8')).slice(-KEPT);
  };
  for (const stream of [stdout, stderr]) stream.on('data', onText);

  const frames = framesOf(control);
  void bounded.then(() => control.write(encode(boot)));
  let cancelWait = (): void => undefined;
  const late = new Promise<string>((resolve) => {
    cancelWait = clock.after(READY_MS, () => {
      resolve(`it was not ready after ${READY_MS / 1_000} s`);
    });
  });
  const first = frames
    .next()
    .then((next) => (next.done === true ? ended.then(causeOf) : readyOf(next.value)))
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  const outcome = await Promise.race([first, late, ended.then(causeOf)]);
  cancelWait();
  if (typeof outcome === 'string') {
    await end();
    running.forget();
    throw new LocalFailure(`${outcome}${said.trim() === '' ? '' : ` (${said.trim()})`}.`);
  }

  return {
    since: clock.monotonic(),
    handOver: () => {
      for (const stream of [stdout, stderr]) stream.off('data', onText).pause();
    },
    sandbox: {
      kind,
      browser: outcome.browser,
      proxy,
      begin: (begin) => {
        control.write(encode(begin));
      },
      frames,
      stdout,
      stderr,
      ended,
      end,
    },
  };
};

/** Parses the ready message. Returns an error text if the frame contains something else. */
const readyOf = (frame: Frame): { browser: string | null } | string => {
  const message = frame.kind === 'message' ? frame.message : null;
  if (typeof message !== 'object' || message === null || !('type' in message) || message.type !== 'ready')
    return `it said ${JSON.stringify(message).slice(0, 200)} instead of being ready`;
  return { browser: 'browser' in message && typeof message.browser === 'string' ? message.browser : null };
};

const causeOf = (end: SandboxEnd): string => {
  switch (end.how) {
    case 'died':
      return end.cause;
    case 'memory':
      return `it held more than ${end.limit} MiB of memory`;
    case 'processes':
      return `it had more than ${end.limit} processes`;
    case 'ended':
      return 'it was ended';
  }
};
