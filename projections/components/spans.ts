import { DAY_MS, type Instant, instantOf, millisecondsOf } from '../../domain/time.ts';
import { NEVER } from './documents.ts';

/**
 * Maximum lengths of the classes of lanes, in milliseconds. An index finds the lanes that begin in a period. To also
 * find those that began earlier and overlap it, without reading everything older, lanes are searched by class: a lane
 * can have begun at most its class's maximum length before the period.
 */
const LONGEST = [1, 8, 64, 512, 4_096].map((days) => days * DAY_MS);

/** The class of manual changes, which have no length. */
export const MANUAL_CHANGE_SPAN = -1;

/** The class of an incident's lane from `begins` to `settled`; the last class is for lanes without an end. */
export const spanOf = (begins: Instant, settled: Instant): number => {
  if (settled === NEVER) return LONGEST.length;
  const length = millisecondsOf(settled) - millisecondsOf(begins);
  const shortest = LONGEST.findIndex((longest) => length < longest);
  return shortest === -1 ? LONGEST.length : shortest;
};

/** For each class, the earliest start of a lane that reaches `from`; null: any. */
export const reachingTo = (from: Instant): { span: number; since: Instant | null }[] => [
  { span: MANUAL_CHANGE_SPAN, since: from },
  ...LONGEST.map((longest, span) => ({ span, since: instantOf(millisecondsOf(from) - longest) })),
  { span: LONGEST.length, since: null },
];
