import type { Retention } from '../../../domain/retention.ts';
import type { Instant } from '../../../domain/time.ts';
import { RETENTION, type Coordination } from '../../../stores/coordination/port.ts';
import type { AnyProjection } from './define.ts';

/** The progress of the retention of results, as decided by its reactor; null before the first decision. */
export const readRetention = async (coordination: Pick<Coordination, 'read'>): Promise<Retention | null> => {
  const value = await coordination.read(RETENTION);
  return value === null ? null : (JSON.parse(value) as Retention);
};

/** The first instant that the retention keeps; null while nothing is removed. */
export const retainedFrom = async (coordination: Pick<Coordination, 'read'>): Promise<Instant | null> =>
  (await readRetention(coordination))?.from ?? null;

/** The first instant whose events a projection sees; null if its log keeps everything. */
export const readFirstShownInstant = async (
  { log }: AnyProjection,
  coordination: Pick<Coordination, 'read'>,
): Promise<Instant | null> => (log === 'results' ? retainedFrom(coordination) : null);
