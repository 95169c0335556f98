import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { exhaustMap, interval } from 'rxjs';
import type { HealthPart } from '../../http/health.ts';
import { systemClock, type Clock } from '../../network/clock.ts';

/** How often the clock is compared with the store's, milliseconds. */
const COMPARE_MS = 30_000;
/** Beyond this, the results of a runner would be too wrong, and its runs would be dropped as late. Milliseconds. */
const MOST_MS = 60_000;
/** How often in a row it must be wrong: one slow answer, or a change of servers, is not enough to believe it. */
const TIMES = 3;
/** An answer that took longer is less exact than what is known already, milliseconds. */
const LONGEST_ANSWER_MS = 2_000;
/** How soon a start compares a clock again that was found wrong, milliseconds. */
const AGAIN_MS = 1_000;

export interface StoreClockOptions {
  /** the time of the store, milliseconds since 1970; null where it does not say */
  storeTime: () => Promise<number | null>;
  /** the clock of this machine */
  clock?: Clock;
  logger: Pick<Logger, 'warn'>;
}

/** A clock that all processes of a cluster agree on: the store's. */
export interface StoreClock {
  /** shows the time of the store, or of this machine while the store's is not known or not believed yet */
  clock: Clock;
  /**
   * Compares for the first time, and again soon while the clock seems wrong.
   *
   * @param mustBeRight whether this process must not begin with a clock that is more than a minute wrong: it would take
   *   work from others until it ends and is started again
   * @throws Error the clock was found wrong three times
   */
  begin: (mustBeRight: boolean) => Promise<void>;
  /** Compares once. Nothing changes if the store can't be asked. */
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
 * Compares the clock with the store's every half minute, and counts on from there by a monotonic clock, so a machine
 * whose clock is set in between still shows the right time. A clock that is more than a minute wrong is reported, and
 * a process that starts or makes runs must not go on: its probes take their times from that clock.
 */
export const followStoreClock = ({ storeTime, clock = systemClock, logger }: StoreClockOptions): StoreClock => {
  /** by how much the clock of this machine is ahead of the store's, milliseconds; null while unknown */
  let skew: number | null = null;
  let wrongTimes = 0;
  /** the time, and what the monotonic clock showed then; null before the store is believed */
  let agreed: { time: number; monotonic: number } | null = null;
  let refuse: (error: Error) => void = () => undefined;
  const wrong = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  // Only processes that must not go on handle it.
  wrong.catch(() => undefined);

  const isRight = (): boolean => skew === null || Math.abs(skew) <= MOST_MS;

  const compare = async (): Promise<void> => {
    const began = clock.monotonic();
    const asked = clock.now();
    const told = await storeTime().catch(() => null);
    if (told === null) return;
    const answered = clock.monotonic();
    if (agreed && answered - began > LONGEST_ANSWER_MS) return;
    const half = (answered - began) / 2;
    const measured = asked + half - told;
    // The store read its clock at some moment within the time of its answer: only the certain part counts.
    skew = Math.sign(measured) * Math.max(0, Math.abs(measured) - half);
    wrongTimes = isRight() ? 0 : wrongTimes + 1;
    if (isRight() || wrongTimes >= TIMES) agreed = { time: asked + 2 * half - skew, monotonic: answered };
    if (wrongTimes > 0) logger.warn({ skew }, sentenceOf(skew));
    if (wrongTimes >= TIMES) refuse(new Error(`${sentenceOf(skew)} Its runs would be dropped as late: set it right.`));
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
          clock.after(AGAIN_MS, resolve);
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
