import type { Clock } from '../../network/clock.ts';

/** A measurement of the service's clock with one request. */
export interface ClockSample {
  /** when the request was sent and when its response was received, by the monotonic clock of this machine */
  sent: number;
  received: number;
  /** the time of the service's clock when it responded, milliseconds since 1970 */
  clock: number;
}

/** The clock of the service, as estimated on this machine. */
export interface ServiceClock {
  addSample: (sample: ClockSample) => void;
  /** returns milliseconds since 1970; until the first measurement, the time of this machine's clock */
  now: () => number;
  /** returns how far this machine's clock is ahead of the service's clock now, in milliseconds; null: unknown */
  offset: () => number | null;
}

/** Number of samples that the estimate is based on. Samples older than OLDEST_MS are dropped. */
const SAMPLES = 8;
const OLDEST_MS = 900_000;
/** Clock drift that is tolerated between two samples, in milliseconds. */
const TOLERANCE_MS = 100;

interface Estimate {
  /** the time of the service's clock when the monotonic clock of this machine was 0 */
  base: number;
  /** maximum error of the estimate, in milliseconds */
  error: number;
  at: number;
}

/**
 * Estimates the clock of the service like NTP (RFC 5905, 8): of the newest samples, the one with the shortest round
 * trip determines the estimate. Between requests, the monotonic clock measures the time, so changes of this machine's
 * clock have no effect.
 */
export const createServiceClock = (clock: Pick<Clock, 'now' | 'monotonic'>): ServiceClock => {
  let estimates: Estimate[] = [];
  let best: Estimate | null = null;

  const now = (): number => (best ? best.base + clock.monotonic() : clock.now());

  return {
    addSample: ({ sent, received, clock: said }) => {
      const fresh = { base: said - (sent + received) / 2, error: (received - sent) / 2, at: received };
      const fits = ({ base, error, at }: Estimate): boolean =>
        received - at <= OLDEST_MS && Math.abs(base - fresh.base) <= error + fresh.error + TOLERANCE_MS;
      // Drop samples that contradict the newest one. They are from a time before this machine slept, or before the
      // service's clock was changed.
      estimates = [...estimates.filter(fits), fresh].slice(-SAMPLES);
      best = estimates.reduce((one, other) => (other.error < one.error ? other : one), fresh);
    },
    now,
    offset: () => (best ? clock.now() - now() : null),
  };
};
