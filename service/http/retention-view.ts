import { exhaustMap, interval } from 'rxjs';
import type { HealthPart } from '../../http/health.ts';
import type { Retention } from '../../domain/retention.ts';
import type { Instant } from '../../domain/time.ts';
import { readRetention } from '../../projections/engine/fold/retention.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import { heldBackMessage } from '../logs/retention.ts';

/** Interval in which the retention state is read, in milliseconds. */
const POLL_MS = 60_000;

/** A time before all results. Until the retention state is known, all results are shown. */
const BEGINNING: Instant = '1970-01-01T00:00:00.000000';

/** The retention state as a process that serves requests sees it. */
export interface RetentionView {
  /** returns the time from which on results are visible */
  from: () => Instant;
  /** returns the state for `/health/ready` */
  part: () => Promise<HealthPart>;
  stop: () => void;
}

export const viewRetention = async (coordination: Pick<Coordination, 'read'>): Promise<RetentionView> => {
  let known: Retention | null = null;
  // If the state can't be read, the previously read one is still used.
  const poll = async (): Promise<void> => {
    known = await readRetention(coordination).catch(() => known);
  };
  await poll();
  const polling = interval(POLL_MS).pipe(exhaustMap(poll)).subscribe();
  return {
    from: () => known?.from ?? BEGINNING,
    part: async () => {
      await poll();
      const message = known && heldBackMessage(known);
      return {
        name: 'retention',
        ready: true,
        state: message === null ? 'by the clock' : 'held back',
        lag_seconds: null,
        message,
      };
    },
    stop: () => {
      polling.unsubscribe();
    },
  };
};
