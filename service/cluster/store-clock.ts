import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { exhaustMap, interval } from 'rxjs';
import type { HealthPart } from '../../http/health.ts';
import { systemClock, type Clock } from '../../network/clock.ts';

/** How often the clock is compared with the store's, milliseconds. */
const COMPARE_MS = 30_000;
/** Beyond this the results of a runner would be wrong by too much, and its runs dropped as late. Milliseconds. */
const MOST_MS = 60_000;
/** So often in a row it must be wrong: one slow answer, or the turn of a server, is no reason to believe it. */
const TIMES = 3;
/** An answer that took longer tells less than what is known already, milliseconds. */
const LONGEST_ANSWER_MS = 2_000;
/** How soon a start compares it again that was found wrong, milliseconds. */
const AGAIN_MS = 1_000;

export interface StoreClockOptions {
  /** the time as the store tells it, milliseconds since 1970; null where it does not */
  storeTime: () => Promise<number | null>;
  /** the clock of this machine */
  clock?: Clock;
  logger: Pick<Logger, 'warn'>;
}

/** A clock that all processes of a cluster agree on: the store's. */
export interface StoreClock {
  /** shows the time of the store; that of this machine while the store has not told it, or is not believed yet */
  clock: Clock;
  /**
   * Compares for the first time, and soon again while the clock seems to be wrong.
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
 * Compares the clock with the store's every half a minute, and goes on from there by one that nobody sets, so that a
 * machine whose clock is set in between shows the right time all the while. A clock that is more than a minute wrong is
 * told of, and whoever starts or makes runs must not go on: its probes take their times from that clock.
 */
export const followStoreClock = ({ storeTime, clock = systemClock, logger }: StoreClockOptions): StoreClock => {
  /** by how much the clock of this machine is ahead of the store's, milliseconds; null while that is not known */
  let skew: number | null = null;
  let wrongTimes = 0;
  /** the time, and what the clock showed that nobody sets; null before the store is believed */
  let agreed: { time: number; monotonic: number } | null = null;
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
    const answered = clock.monotonic();
    if (agreed && answered - began > LONGEST_ANSWER_MS) return;
    const half = (answered - began) / 2;
    const measured = asked + half - told;
    // When the store looked at its clock is not known within half the time of its answer: only what is sure counts.
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
