import type { Clock } from '../../network/clock.ts';

/** What a request has shown about the clock of the service. */
export interface ClockSample {
  /** when it was sent and answered, by the monotonic clock of this machine */
  sent: number;
  received: number;
  /** what the service said in between, milliseconds since 1970 */
  clock: number;
}

/** The clock of the service, as it is seen from here. */
export interface ServiceClock {
  heard: (sample: ClockSample) => void;
  /** milliseconds since 1970; by the clock of this machine while the service was never heard */
  now: () => number;
  /** by how much the clock of this machine is ahead at present, milliseconds; null: not known */
  offset: () => number | null;
}

/** The estimate is made from so many samples, none of them older than this. */
const SAMPLES = 8;
const OLDEST_MS = 900_000;
/** What clocks may drift apart between two samples, milliseconds. */
const TOLERANCE_MS = 100;

interface Estimate {
  /** the service's clock when the monotonic one of this machine was 0 */
  base: number;
  /** it is wrong by at most this */
  error: number;
  at: number;
}

/**
 * Follows the clock of the service as NTP does (RFC 5905, 8): of the last requests, that with the shortest round trip
 * counts. In between time passes by the monotonic clock, so it does not matter when somebody sets that of this machine.
 */
export const createServiceClock = (clock: Pick<Clock, 'now' | 'monotonic'>): ServiceClock => {
  let estimates: Estimate[] = [];
  let best: Estimate | null = null;

  const now = (): number => (best ? best.base + clock.monotonic() : clock.now());

  return {
    heard: ({ sent, received, clock: said }) => {
      const fresh = { base: said - (sent + received) / 2, error: (received - sent) / 2, at: received };
      const fits = ({ base, error, at }: Estimate): boolean =>
        received - at <= OLDEST_MS && Math.abs(base - fresh.base) <= error + fresh.error + TOLERANCE_MS;
      // Those that contradict it are from before the machine slept, or the service's clock was set.
      estimates = [...estimates.filter(fits), fresh].slice(-SAMPLES);
      best = estimates.reduce((one, other) => (other.error < one.error ? other : one), fresh);
    },
    now,
    offset: () => (best ? clock.now() - now() : null),
  };
};
