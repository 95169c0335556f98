import type { Retention } from '../../../domain/retention.ts';
import type { Instant } from '../../../domain/time.ts';
import { RETENTION, type Coordination } from '../../../stores/coordination/port.ts';
import type { AnyProjection } from './define.ts';

/** How far the retention of results has gone, as its reactor has decided; null before the first decision. */
export const readRetention = async (coordination: Pick<Coordination, 'read'>): Promise<Retention | null> => {
  const value = await coordination.read(RETENTION);
  return value === null ? null : (JSON.parse(value) as Retention);
};

/** The first instant that retention keeps; null while nothing is removed. */
export const retainedFrom = async (coordination: Pick<Coordination, 'read'>): Promise<Instant | null> =>
  (await readRetention(coordination))?.from ?? null;

/** The first instant that a projection gets to see; null if the log forgets nothing. */
export const shownFrom = async (
  { log }: AnyProjection,
  coordination: Pick<Coordination, 'read'>,
): Promise<Instant | null> => (log === 'results' ? retainedFrom(coordination) : null);
