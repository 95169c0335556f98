import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { exhaustMap, interval } from 'rxjs';
import type { HealthPart } from '../../http/health.ts';
import { systemClock, type Clock } from '../../network/clock.ts';

/** Interval between comparisons with the clock of the store, in milliseconds. */
const COMPARE_MS = 30_000;
/**
 * Maximum difference between the clocks, in milliseconds. With a greater difference, results would have wrong times,
 * and runs would be dropped as late.
 */
const MAX_SKEW_MS = 60_000;
/**
 * Number of consecutive comparisons that must show a wrong clock before the clock counts as wrong. A single comparison
 * can be wrong because of a slow response or a failover.
 */
const TIMES = 3;
/**
 * Maximum duration of a comparison, in milliseconds. The result of a slower comparison is ignored, because the known
 * time is more exact.
 */
const LONGEST_ANSWER_MS = 2_000;
/** Interval between the comparisons at the start of the process if the clock seems wrong, in milliseconds. */
const RETRY_MS = 1_000;

export interface StoreClockOptions {
  /** returns the time of the store, in milliseconds since 1970; null if the store does not provide it */
  storeTime: () => Promise<number | null>;
  /** the clock of this machine */
  clock?: Clock;
  logger: Pick<Logger, 'warn'>;
}

/** A clock on which all processes of a cluster agree: the clock of the store. */
export interface StoreClock {
  /**
   * shows the time of the store; as long as the time of the store is unknown or not trusted yet, shows the time of this
   * machine
   */
  clock: Clock;
  /**
   * Makes the first comparison. If the clock seems wrong, makes up to two more comparisons in quick succession.
   *
   * @param mustBeRight whether this process must not start if its clock is wrong by more than a minute, because it
   * would take work from other processes until it is restarted
   * @throws Error the clock was wrong three times
   */
  begin: (mustBeRight: boolean) => Promise<void>;
  /** Makes one comparison. Nothing changes if the store does not respond. */
  compare: () => Promise<void>;
  /** returns the state of the clock for `/health/ready` */
  part: () => HealthPart;
  observe: (registry: Registry) => void;
  /** Rejects when the clock of this machine is wrong by more than a minute. */
  wrong: Promise<never>;
  stop: () => void;
}

const sentenceOf = (skew: number): string => {
  const seconds = Math.round(Math.abs(skew) / 1_000).toString();
  return `The clock of this machine is ${seconds} seconds ${skew > 0 ? 'ahead of' : 'behind'} that of MongoDB.`;
};

/**
 * Compares the clock of this machine with the clock of the store every half minute. Between comparisons, the time
 * advances with a monotonic clock, so it stays correct even if the clock of the machine is set. A clock that is wrong
 * by more than a minute is reported. A process that starts or executes runs must then stop, because its probes use the
 * clock of the machine.
 */
export const followStoreClock = ({ storeTime, clock = systemClock, logger }: StoreClockOptions): StoreClock => {
  /** milliseconds by which the clock of this machine is ahead of that of the store; null while unknown */
  let skew: number | null = null;
  let wrongTimes = 0;
  /**
   * a time of the store and the value of the monotonic clock at that time; null until the time of the store is trusted
   */
  let agreed: { time: number; monotonic: number } | null = null;
  let refuse: (error: Error) => void = () => undefined;
  const wrong = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  // Only processes that must stop handle this rejection. Without this handler, the rejection would end the other
  // processes as well.
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
    // The store read its clock at an unknown moment between request and response. Therefore, the measured difference
    // may be wrong by up to half of the time between request and response. Only the part of the difference that exceeds
    // this error counts.
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
