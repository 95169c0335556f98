import { setTimeout as sleep } from 'node:timers/promises';

/** Default timings, in milliseconds. */
export const RESPONSIVENESS_TIMINGS = {
  /** time without a response to a call after which the server is probed */
  patience: 1_500,
  /** how long the server may take to respond to the probe */
  probe: 3_000,
  /** pause between two probes while the server does not respond */
  pause: 500,
};

/** The server currently does not respond. The message is a clause that says why: "it did not respond in time". */
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
   * @param milliseconds time after which the caller ignores the response
   * @throws Error the server can't be reached; the message is a clause that says why
   */
  probe: (milliseconds: number) => Promise<unknown>;
  /** Called with the reason when the server stops responding, and with null when it responds again. */
  onChange?: (silence: string | null) => void;
  /** overrides {@link RESPONSIVENESS_TIMINGS} in tests; milliseconds */
  timings?: Partial<typeof RESPONSIVENESS_TIMINGS>;
}

/** A circuit breaker for a server. It probes the server only while calls wait for a response. */
export interface Responsiveness {
  /** a clause that says why the server does not respond; null while it responds, or while its state is unknown */
  readonly silence: string | null;
  /**
   * Runs a call to the server. If the server stops responding, pending calls fail, and their outcome is unknown. A call
   * with the option `awaited` does not fail but keeps waiting for its outcome.
   *
   * @throws ServerUnresponsive immediately if the server is known to be unresponsive
   */
  call: <T>(run: () => Promise<T>, options?: { awaited?: boolean }) => Promise<T>;
  close: () => void;
}

interface PendingCall {
  since: number;
  giveUp: (reason: string) => void;
}

/**
 * Creates a circuit breaker that detects an unresponsive server: a server that hangs, or whose connection died without
 * an error. A slow call alone proves nothing, because some calls take long. So a small probe is sent. If neither the
 * probe nor any other call gets a response, calls are refused until the server responds again. A server that refuses
 * connections needs no detection, because each call fails immediately.
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

  /** Sends a probe. Returns a clause that says why no response arrived in time; null if a response arrived in time. */
  const whySilent = async (): Promise<string | null> => {
    const probedAt = performance.now();
    const probe = ask(timings.probe).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    // After the time limit, wait a little longer before the probe counts as failed: if this process was short of CPU
    // time, it now reads responses that have already arrived.
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
