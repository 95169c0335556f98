import type { Clock } from '../../network/clock.ts';

/** A measurement of the service's clock by one request. */
export interface ClockSample {
  /** when the request was sent and answered, by the monotonic clock of this machine */
  sent: number;
  received: number;
  /** the service's clock in between, milliseconds since 1970 */
  clock: number;
}

/** The clock of the service, as estimated here. */
export interface ServiceClock {
  addSample: (sample: ClockSample) => void;
  /** milliseconds since 1970; by the clock of this machine until the first measurement */
  now: () => number;
  /** how far the clock of this machine is ahead at present, milliseconds; null: unknown */
  offset: () => number | null;
}

/** Number of samples for the estimate, none of them older than OLDEST_MS. */
const SAMPLES = 8;
const OLDEST_MS = 900_000;
/** Clock drift tolerated between two samples, milliseconds. */
const TOLERANCE_MS = 100;

interface Estimate {
  /** the service's clock when the monotonic clock of this machine was 0 */
  base: number;
  /** maximum error */
  error: number;
  at: number;
}

/**
 * Estimates the clock of the service as NTP does (RFC 5905, 8): of the latest requests, the one with the shortest round
 * trip counts. Between requests, time passes by the monotonic clock, so changes of this machine's clock do not matter.
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
      // Samples that contradict the newest are from before the machine slept, or before the service's clock was set.
      estimates = [...estimates.filter(fits), fresh].slice(-SAMPLES);
      best = estimates.reduce((one, other) => (other.error < one.error ? other : one), fresh);
    },
    now,
    offset: () => (best ? clock.now() - now() : null),
  };
};
