import { millisecondsOf, type Instant } from '../time.ts';

/** Number of runs per check that are stored individually. */
export const STORED_RUNS = 20;

/** Maximum number of consecutive runs that a condition can require (docs/reference/alert-rules.md#conditions). */
export const MAX_STREAK = 100;

/**
 * The outcome of a run in one region. A success is stored as its response time in whole milliseconds, or as null if the
 * check type measures none. `bad` and `timeout` are failures. `silent`: the region of a multi-region run reported no
 * result in time. The form is compact because twenty runs are stored for each check.
 */
export type RegionOutcome = number | null | 'bad' | 'timeout' | 'silent';

/**
 * A run that counts for alert rules. Its results were in time, its definition was the current one when it ran, and its
 * runner was not cut off from the network.
 */
export interface PastRun {
  id: string;
  /** when the run ended */
  at: Instant;
  /** one outcome for each region */
  answers: readonly RegionOutcome[];
}

/** The outcome of the newest run in a region, in full. */
export interface RegionResult {
  /** id of the region */
  region: string;
  /** status of the result: `ok`, `down`, `failed` or `error`; `timeout` for a region without a result */
  status: string;
  reason: string | null;
  /** whole milliseconds */
  response_time: number | null;
  error_message: string | null;
  /** null for a region without a result */
  result_id: string | null;
  at: Instant;
}

/**
 * Numbers of consecutive failed runs, counted separately by how many of their regions failed. No number exceeds {@link
 * MAX_STREAK}.
 */
export interface Streaks {
  /** at index m − 1: number of runs that failed in at least m regions */
  least: readonly number[];
  /** number of runs that failed in more than half of their regions */
  majority: number;
  /** number of runs that failed in all of their regions */
  all: number;
  /**
   * End times of these runs, newest first, in milliseconds since 1970. At most `MAX_STREAK - STORED_RUNS` are stored.
   */
  ended: readonly number[];
}

/** The numbers of results in an hour. */
export interface HourSums {
  /** the first instant of the hour */
  hour: Instant;
  ok: number;
  all: number;
}

/**
 * The input of alert rules: the newest runs of a check, all with the same definition, and the number of results by
 * hour.
 */
export interface RuleInputs {
  /**
   * the key of the runs' definition (domain/check/definition-key.ts); null for results that were recorded without a key
   */
  definition: string | null;
  /** newest first, at most {@link STORED_RUNS} */
  runs: readonly PastRun[];
  /** outcomes of the newest run by region */
  regions: readonly RegionResult[];
  /**
   * numbers of consecutive failed runs directly before the oldest of `runs`; null if the run before the oldest run
   * succeeded or does not exist
   */
  earlier: Streaks | null;
  /**
   * Numbers of results in the hour of the newest result, with any definition; null without results. Other hours are
   * stored separately. `entered` is the position of the event that began this hour: all earlier hours were complete by
   * then.
   */
  hour: (HourSums & { entered: number }) | null;
}

/** No failed runs. */
const NONE: Streaks = { least: [], majority: 0, all: 0, ended: [] };

export const isOk = (answer: RegionOutcome): boolean => answer === null || typeof answer === 'number';

/** Returns in how many regions a run failed. */
export const isBadIn = ({ answers }: Pick<PastRun, 'answers'>): number =>
  answers.filter((answer) => !isOk(answer)).length;

/** Returns the streaks after one more run. */
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

/** Returns the streaks without the runs that ended at `instant` or earlier. */
export const streaksSince = (streaks: Streaks, instant: Instant): Streaks => {
  const { least, majority, all, ended } = streaks;
  const since = millisecondsOf(instant);
  const count = ended.findIndex((at) => at <= since);
  if (count === -1) return streaks;
  const first = (length: number): number => Math.min(length, count);
  return { least: least.map(first), majority: first(majority), all: first(all), ended: ended.slice(0, count) };
};

/** Returns the inputs after one more run. If the definition of the run is new, all earlier runs are dropped. */
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
