import { instantOf, type Instant } from '../../domain/time.ts';

const DAY = 86_400_000;

/**
 * The first instant that retention keeps: retention counts whole UTC days (design.md: Two logs).
 *
 * @param now milliseconds since 1970
 */
export const retainedFrom = (now: number, retentionDays: number): Instant =>
  instantOf((Math.floor(now / DAY) - retentionDays) * DAY);
