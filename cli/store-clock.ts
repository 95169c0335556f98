import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { exhaustMap, interval } from 'rxjs';
import type { HealthPart } from '../api/health.ts';
import { systemClock, type Clock } from '../runners/clock.ts';

/** How often the clock is compared with the store's, milliseconds. */
const COMPARE_MS = 30_000;
/** Beyond this runs that others start would be dropped as late, milliseconds. */
const MOST_MS = 60_000;
/** So often in a row it must be wrong: one slow answer, or the turn of a server, is no reason to stop. */
const TIMES = 3;
/** How soon a start compares it again that was found wrong, milliseconds. */
const AGAIN_MS = 1_000;

export interface StoreClockOptions {
  /** the time as the store tells it, milliseconds since 1970; null where it does not */
  storeTime: () => Promise<number | null>;
  /** the clock of this machine */
  clock?: Clock;
  logger: Pick<Logger, 'warn'>;
}

/** A clock that all processes of a cluster agree on: that of this machine, put right by the store's. */
export interface StoreClock {
  clock: Clock;
  /** by how much the clock of this machine is ahead of the store's, milliseconds; null while that is not known */
  skew: () => number | null;
  /**
   * Compares for the first time.
   *
   * @param mustBeRight whether this process may not even begin with a clock that is more than a minute wrong: it would
   *   take what others could do, until it ends and is started again
   * @throws Error it is, found three times
   */
  begin: (mustBeRight: boolean) => Promise<void>;
  /** Compares once. What can't be asked is as it was. */
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
 * Compares the clock with the store's every half a minute. Up to a minute it is put right; beyond that a process that
 * starts or makes runs must not go on, and whoever answers requests goes by its own clock and says so.
 */
export const followStoreClock = ({ storeTime, clock = systemClock, logger }: StoreClockOptions): StoreClock => {
  let skew: number | null = null;
  let wrongTimes = 0;
  let refuse: (error: Error) => void = () => undefined;
  const wrong = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  // Whoever may not go on hears of it; nobody else has to.
  wrong.catch(() => undefined);

  const isRight = (): boolean => skew === null || Math.abs(skew) <= MOST_MS;

  const compare = async (): Promise<void> => {
    const began = clock.monotonic();
    const asked = clock.now();
    const told = await storeTime().catch(() => null);
    if (told === null) return;
    const half = (clock.monotonic() - began) / 2;
    const measured = asked + half - told;
    // When the store looked at its clock is not known within half the time of its answer: only what is sure counts.
    skew = Math.sign(measured) * Math.max(0, Math.abs(measured) - half);
    wrongTimes = isRight() ? 0 : wrongTimes + 1;
    if (wrongTimes > 0) logger.warn({ skew }, sentenceOf(skew));
    if (wrongTimes >= TIMES) refuse(new Error(`${sentenceOf(skew)} Its runs would be dropped as late: set it right.`));
  };

  const comparing = interval(COMPARE_MS).pipe(exhaustMap(compare)).subscribe();
  return {
    clock: { ...clock, now: () => Math.round(clock.now() - (isRight() ? (skew ?? 0) : 0)) },
    skew: () => skew,
    begin: async (mustBeRight) => {
      await compare();
      for (let times = 1; mustBeRight && wrongTimes === times; times++) {
        if (times === TIMES) await wrong;
        await new Promise<void>((resolve) => {
          clock.after(AGAIN_MS, resolve);
        });
        await compare();
      }
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
        help: 'By how much the clock of this machine is ahead of that of MongoDB',
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
