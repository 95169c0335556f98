import type { Retention } from '../../../domain/retention.ts';
import type { Instant } from '../../../domain/time.ts';
import { RETENTION, type Coordination } from '../../../stores/coordination/port.ts';
import type { AnyProjection } from './define.ts';

/**
 * Reads the state of the retention of results. Returns null if the service has not stored a state yet
 * (service/logs/retention.ts).
 */
export const readRetention = async (coordination: Pick<Coordination, 'read'>): Promise<Retention | null> => {
  const value = await coordination.read(RETENTION);
  return value === null ? null : (JSON.parse(value) as Retention);
};

/** Returns the start of the retention period, or null while nothing is removed. */
export const retainedFrom = async (coordination: Pick<Coordination, 'read'>): Promise<Instant | null> =>
  (await readRetention(coordination))?.from ?? null;

/** Returns the time from which a projection sees events, or null if its log keeps all events. */
export const readFirstShownInstant = async (
  { log }: AnyProjection,
  coordination: Pick<Coordination, 'read'>,
): Promise<Instant | null> => (log === 'results' ? retainedFrom(coordination) : null);
