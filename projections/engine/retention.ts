import { instantOf, type Instant } from '../../domain/time.ts';
import type { AnyProjection } from './define.ts';

const DAY = 86_400_000;

/**
 * The first instant that retention keeps: retention counts whole UTC days (design.md: Two logs).
 *
 * @param now milliseconds since 1970
 */
export const retainedFrom = (now: number, retentionDays: number): Instant =>
  instantOf((Math.floor(now / DAY) - retentionDays) * DAY);

/** The first instant that a projection gets to see; null where the log forgets nothing. */
export const shownFrom = ({ log }: AnyProjection, now: number, retentionDays: number): Instant | null =>
  log === 'results' ? retainedFrom(now, retentionDays) : null;
