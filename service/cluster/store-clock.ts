import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { exhaustMap, interval } from 'rxjs';
import type { HealthPart } from '../../http/health.ts';
import { systemClock, type Clock } from '../../network/clock.ts';

/** Interval between comparisons with the store's clock, milliseconds. */
const COMPARE_MS = 30_000;
/** Maximum clock skew, milliseconds: beyond it, results would have wrong times, and runs would be dropped as late. */
const MAX_SKEW_MS = 60_000;
/**
 * Number of successive wrong comparisons before the clock counts as wrong: one slow response or a failover is not
 * enough.
 */
const TIMES = 3;
/** A response slower than this is less exact than what is already known, milliseconds. */
const LONGEST_ANSWER_MS = 2_000;
/** Interval between comparisons at the start while the clock seems wrong, milliseconds. */
const RETRY_MS = 1_000;

export interface StoreClockOptions {
  /** the store's time, milliseconds since 1970; null if the store does not provide it */
  storeTime: () => Promise<number | null>;
  /** the clock of this machine */
  clock?: Clock;
  logger: Pick<Logger, 'warn'>;
}

/** A clock that all processes of a cluster agree on: the store's. */
export interface StoreClock {
  /** the store's time, or this machine's while the store's is unknown or not trusted yet */
  clock: Clock;
  /**
   * Compares for the first time, and again soon while the clock seems wrong.
   *
   * @param mustBeRight whether this process must not start with a clock that is more than a minute wrong: it would take
   * work from other processes until it is restarted
   * @throws Error the clock was wrong three times
   */
  begin: (mustBeRight: boolean) => Promise<void>;
  /** Compares once. Nothing changes if the store does not respond. */
  compare: () => Promise<void>;
  /** for `/health/ready` */
  part: () => HealthPart;
  observe: (registry: Registry) => void;
  /** Rejects when the clock of this machine is more than a minute wrong. */
  wrong: Promise<never>;
  stop: () => void;
}

const sentenceOf = (skew: number): string => {
  const seconds = Math.round(Math.abs(skew) / 1_000).toString();
  return `The clock of this machine is ${seconds} seconds ${skew > 0 ? 'ahead of' : 'behind'} that of MongoDB.`;
};

/**
 * Compares the clock with the store's every half minute, and extrapolates with a monotonic clock, so that the time
 * stays right even if the machine's clock is set in between. A clock that is more than a minute wrong is reported, and
 * a process that starts or executes runs must stop: its probes take their times from that clock.
 */
export const followStoreClock = ({ storeTime, clock = systemClock, logger }: StoreClockOptions): StoreClock => {
  /** how far the clock of this machine is ahead of the store's, milliseconds; null while unknown */
  let skew: number | null = null;
  let wrongTimes = 0;
  /** a time, and the monotonic clock's value at that time; null until the store is trusted */
  let agreed: { time: number; monotonic: number } | null = null;
  let refuse: (error: Error) => void = () => undefined;
  const wrong = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  // Only processes that must stop handle this rejection.
  wrong.catch(() => undefined);

  const isRight = (): boolean => skew === null || Math.abs(skew) <= MAX_SKEW_MS;

  const compare = async (): Promise<void> => {
    const began = clock.monotonic();
    const sent = clock.now();
    const received = await storeTime().catch(() => null);
    if (received === null) return;
    const receivedAt = clock.monotonic();
    if (agreed && receivedAt - began > LONGEST_ANSWER_MS) return;
    const half = (receivedAt - began) / 2;
    const measured = sent + half - received;
    // The store read its clock at some moment during the request: only the part of the skew that exceeds this
    // uncertainty counts.
    skew = Math.sign(measured) * Math.max(0, Math.abs(measured) - half);
    wrongTimes = isRight() ? 0 : wrongTimes + 1;
    if (isRight() || wrongTimes >= TIMES) agreed = { time: sent + 2 * half - skew, monotonic: receivedAt };
    if (wrongTimes > 0) logger.warn({ skew }, sentenceOf(skew));
    if (wrongTimes >= TIMES)
      refuse(new Error(`${sentenceOf(skew)} Correct it: runs of this process would be dropped as late.`));
  };

  const comparing = interval(COMPARE_MS).pipe(exhaustMap(compare)).subscribe();
  return {
    clock: {
      ...clock,
      now: () => Math.round(agreed ? agreed.time + clock.monotonic() - agreed.monotonic : clock.now()),
    },
    begin: async (mustBeRight) => {
      await compare();
      for (let times = 1; times < TIMES && wrongTimes === times; times++) {
        await new Promise<void>((resolve) => {
          clock.after(RETRY_MS, resolve);
        });
        await compare();
      }
      if (mustBeRight && wrongTimes >= TIMES) await wrong;
    },
    compare,
    part: () => ({
      name: 'clock',
      ready: true,
      state: isRight() ? 'right' : 'wrong',
      lag_seconds: null,
      message: skew === null || isRight() ? null : sentenceOf(skew),
    }),
    observe: (registry) => {
      new Gauge({
        name: 'clock_skew_seconds',
        help: 'Seconds by which the clock of this machine is ahead of that of MongoDB',
        registers: [registry],
        collect() {
          if (skew !== null) this.set(skew / 1_000);
        },
      });
    },
    wrong,
    stop: () => {
      comparing.unsubscribe();
    },
  };
};
