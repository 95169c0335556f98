import { millisecondsOf, type Instant } from '../time.ts';

/** How many of the newest runs are stored individually. */
export const STORED_RUNS = 20;

/** The maximum of consecutive runs that a condition can require (docs/reference/alert-rules.md#conditions). */
export const MAX_STREAK = 100;

/**
 * The outcome of a run in a region, in a compact form, since twenty runs are stored for each check: the response time of
 * a success in whole milliseconds (null if the type has none), or the kind of failure. `silent`: a region of a
 * multi-region run that reported no result in time.
 */
export type RegionOutcome = number | null | 'bad' | 'timeout' | 'silent';

/** A run that counts: it was in time, with the definition of that time, and its runner was not cut off. */
export interface PastRun {
  id: string;
  /** when it ended */
  at: Instant;
  /** one outcome for each region */
  answers: readonly RegionOutcome[];
}

/** The outcome of the newest run in a region, in full. */
export interface RegionResult {
  /** id of the region */
  region: string;
  /** status of the result: `ok`, `down`, `failed` or `error`; `timeout` for a silent region */
  status: string;
  reason: string | null;
  /** whole milliseconds */
  response_time: number | null;
  error_message: string | null;
  /** null: the region was silent */
  result_id: string | null;
  at: Instant;
}

/** Numbers of consecutive failed runs, by how many of their regions failed; at most {@link MAX_STREAK}. */
export interface Streaks {
  /** at index m − 1: runs that failed in at least m regions */
  least: readonly number[];
  /** runs that failed in more than half of the regions */
  majority: number;
  /** runs that failed in all regions */
  all: number;
  /** when these runs ended, newest first, as many as complete {@link MAX_STREAK}; milliseconds since 1970 */
  ended: readonly number[];
}

/** The number of results in an hour. */
export interface HourSums {
  /** its first instant */
  hour: Instant;
  ok: number;
  all: number;
}

/** The input of rules: the newest runs of a check with one definition, and its results by hour. */
export interface RuleInputs {
  /** the key of the runs' definition (domain/check/definition-key.ts); null for old results, which have none */
  definition: string | null;
  /** newest first, at most {@link STORED_RUNS} */
  runs: readonly PastRun[];
  /** regions of the newest run */
  regions: readonly RegionResult[];
  /** streaks right before the oldest of `runs`; null if that is the first run, or the one before it succeeded */
  earlier: Streaks | null;
  /**
   * Results of all definitions in the hour of the newest result; other hours are stored separately. `entered`: position of
   * the first result in this hour; earlier hours have not changed since. null without results.
   */
  hour: (HourSums & { entered: number }) | null;
}

/** The streaks before the first failed run. */
const NONE: Streaks = { least: [], majority: 0, all: 0, ended: [] };

export const isOk = (answer: RegionOutcome): boolean => answer === null || typeof answer === 'number';

/** In how many regions a run failed. */
export const isBadIn = ({ answers }: Pick<PastRun, 'answers'>): number =>
  answers.filter((answer) => !isOk(answer)).length;

/** The streaks after one more run. */
export const longerStreak = (before: Streaks | null, run: PastRun): Streaks | null => {
  const bad = isBadIn(run);
  if (bad === 0) return null;
  const { least, majority, all, ended } = before ?? NONE;
  const more = (count = 0): number => Math.min(count + 1, MAX_STREAK);
  return {
    least: Array.from({ length: bad }, (_, index) => more(least[index])),
    majority: bad * 2 > run.answers.length ? more(majority) : 0,
    all: bad === run.answers.length ? more(all) : 0,
    ended: [millisecondsOf(run.at), ...ended].slice(0, MAX_STREAK - STORED_RUNS),
  };
};

/** The streaks without the runs up to an instant. */
export const streaksSince = (streaks: Streaks, instant: Instant): Streaks => {
  const { least, majority, all, ended } = streaks;
  const count = ended.findIndex((at) => at <= millisecondsOf(instant));
  if (count === -1) return streaks;
  const first = (length: number): number => Math.min(length, count);
  return { least: least.map(first), majority: first(majority), all: first(all), ended: ended.slice(0, count) };
};

/** The inputs after one more run. A run of another definition starts over. */
export const withRun = (
  before: RuleInputs | undefined,
  run: PastRun,
  { definition, regions }: Pick<RuleInputs, 'definition' | 'regions'>,
): Omit<RuleInputs, 'hour'> => {
  if (!before || before.definition !== definition) return { definition, regions, runs: [run], earlier: null };
  const oldest = before.runs.length < STORED_RUNS ? undefined : before.runs.at(-1);
  return {
    definition,
    regions,
    runs: [run, ...(oldest ? before.runs.slice(0, -1) : before.runs)],
    earlier: oldest ? longerStreak(before.earlier, oldest) : before.earlier,
  };
};
