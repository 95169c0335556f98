import { setTimeout as sleep } from 'node:timers/promises';

/** All in milliseconds. */
export const RESPONSIVENESS_TIMINGS = {
  /** after this long without a response to a call, the server is probed */
  patience: 1_500,
  /** how long the server may take to respond to the probe */
  probe: 3_000,
  /** pause between two probes while it does not respond */
  pause: 500,
};

/** The server does not respond at present. The message says why, as a clause ("it did not respond in time"). */
export class ServerUnresponsive extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ServerUnresponsive';
  }
}

const NO_RESPONSE = 'it did not respond in time';

export interface ResponsivenessOptions {
  /**
   * Sends the server a small request. A refusal counts as a response.
   *
   * @param milliseconds the time after which the caller ignores the response
   * @throws Error the server can't be reached; the message says why, as a clause
   */
  probe: (milliseconds: number) => Promise<unknown>;
  /** Called with the reason when the server stops responding, and with null when it responds again. */
  onChange?: (silence: string | null) => void;
  /** overrides of {@link RESPONSIVENESS_TIMINGS} in milliseconds, for tests */
  timings?: Partial<typeof RESPONSIVENESS_TIMINGS>;
}

/** Circuit breaker for a server that may stop responding. It sends probes only while calls have no response. */
export interface Responsiveness {
  /** why the server does not respond, as a clause; null while it responds, or while its state is unknown */
  readonly silence: string | null;
  /**
   * Calls the server. If the server stops responding, pending calls fail and their outcome is unknown. An `awaited`
   * call keeps waiting, so its outcome is still known.
   *
   * @throws ServerUnresponsive immediately, while the server is known to be unresponsive
   */
  call: <T>(run: () => Promise<T>, options?: { awaited?: boolean }) => Promise<T>;
  close: () => void;
}

interface PendingCall {
  since: number;
  giveUp: (reason: string) => void;
}

/**
 * Detects an unresponsive server: a frozen one, or one behind a connection that died silently. A slow call alone is no
 * proof, since some calls take long. When a small probe gets no response either, and no other call has received one
 * meanwhile, calls are refused until the server responds again. Calls that fail with an error of their own, such as a
 * refused connection, need no detection.
 */
export const watchResponsiveness = ({ probe: ask, onChange, ...options }: ResponsivenessOptions): Responsiveness => {
  const timings = { ...RESPONSIVENESS_TIMINGS, ...options.timings };
  const pending = new Set<PendingCall>();
  const closing = new AbortController();
  let silence: string | null = null;
  let respondedAt = -Infinity;
  let watching = false;

  const isClosed = (): boolean => closing.signal.aborted;

  const pause = (milliseconds: number): Promise<unknown> =>
    sleep(milliseconds, undefined, { signal: closing.signal }).catch(() => undefined);

  /** Why no response arrived in time; null if one did. */
  const whySilent = async (): Promise<string | null> => {
    const probedAt = performance.now();
    const probe = ask(timings.probe).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    // A process that was short of CPU first reads what has arrived, then decides.
    const late = pause(timings.probe).then(() => pause(timings.probe / 20));
    const reason = await Promise.race([probe, late.then(() => NO_RESPONSE)]);
    return respondedAt > probedAt ? null : reason;
  };

  const isOverdue = (): boolean => {
    const [first] = pending;
    return first !== undefined && performance.now() - Math.max(first.since, respondedAt) >= timings.patience;
  };

  const setSilence = (now: string | null): void => {
    silence = now;
    onChange?.(now);
  };

  const refuseUntilResponse = async (reason: string): Promise<void> => {
    setSilence(reason);
    for (const { giveUp } of pending) giveUp(reason);
    for (let now: string | null = reason; now !== null && !isClosed();) {
      await pause(timings.pause);
      now = await whySilent();
    }
    if (!isClosed()) setSilence(null);
  };

  const watch = async (): Promise<void> => {
    if (watching) return;
    watching = true;
    while (pending.size > 0 && !isClosed()) {
      await pause(timings.patience);
      const reason = isOverdue() ? await whySilent() : null;
      if (reason !== null && !isClosed()) await refuseUntilResponse(reason);
    }
    watching = false;
  };

  return {
    get silence() {
      return silence;
    },

    call: async (run, { awaited = false } = {}) => {
      if (silence !== null) throw new ServerUnresponsive(silence);
      const running = run();
      let giveUp: PendingCall['giveUp'] = () => undefined;
      const givenUp = new Promise<never>((_, reject) => {
        if (awaited) return;
        giveUp = (reason) => {
          reject(new ServerUnresponsive(reason));
        };
      });
      const one = { since: performance.now(), giveUp };
      pending.add(one);
      void watch();
      try {
        const result = await Promise.race([running, givenUp]);
        respondedAt = performance.now();
        return result;
      } finally {
        pending.delete(one);
      }
    },

    close: () => {
      closing.abort();
    },
  };
};
