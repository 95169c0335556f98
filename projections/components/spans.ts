import { DAY_MS, type Instant, instantOf, millisecondsOf } from '../../domain/time.ts';
import { NEVER } from './documents.ts';

/**
 * Maximum lengths of the classes of lanes, in milliseconds. An index finds the lanes that begin in a period, but lanes
 * that began before the period can overlap it too. To find these lanes without reading all older lanes, each class is
 * searched separately: the start of such a lane is before the period by at most the maximum length of its class.
 */
const LONGEST = [1, 8, 64, 512, 4_096].map((days) => days * DAY_MS);

/** The class of manual changes, which have no length. */
export const MANUAL_CHANGE_SPAN = -1;

/** Returns the class of a lane from `begins` to `settled`. The final class is for lanes that have not ended. */
export const spanOf = (begins: Instant, settled: Instant): number => {
  if (settled === NEVER) return LONGEST.length;
  const length = millisecondsOf(settled) - millisecondsOf(begins);
  const shortest = LONGEST.findIndex((longest) => length < longest);
  return shortest === -1 ? LONGEST.length : shortest;
};

/** Returns for each class the earliest start of a lane that can reach `from`, or null if any start is possible. */
export const reachingTo = (from: Instant): { span: number; since: Instant | null }[] => [
  { span: MANUAL_CHANGE_SPAN, since: from },
  ...LONGEST.map((longest, span) => ({ span, since: instantOf(millisecondsOf(from) - longest) })),
  { span: LONGEST.length, since: null },
];
