import { millisecondsOf, type Instant } from '../time.ts';

/** How many of the newest runs are known one by one. */
export const KEPT_RUNS = 20;

/** No condition asks for more runs in a row (decisions.md: Alerts). */
export const LONGEST_STREAK = 100;

/**
 * What a region said in a run, as short as it can be, since there are twenty of these for each check: whole
 * milliseconds of a good answer (null: it has no response time), or how it was not good. A region of a parallel run
 * that gave no result in time is `silent`.
 */
export type Answer = number | null | 'bad' | 'timeout' | 'silent';

/** A run that counts: it was in time, of the check as it was, and its runner was not cut off itself. */
export interface PastRun {
  id: string;
  /** when it ended */
  at: Instant;
  /** one for each region */
  answers: readonly Answer[];
}

/** The same of the newest run, in full. */
export interface RegionAnswer {
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

/** How many runs one after another were not good, by how many of their regions were not; at most {@link LONGEST_STREAK}. */
export interface Streaks {
  /** at index m − 1: in at least m regions */
  least: readonly number[];
  /** in more than half of them */
  majority: number;
  /** in all of them */
  all: number;
  /** when they ended, the newest first, as far as they complete {@link LONGEST_STREAK}; milliseconds since 1970 */
  ended: readonly number[];
}

/** Results of an hour. */
export interface HourSums {
  /** its first instant */
  hour: Instant;
  ok: number;
  all: number;
}

/** What rules are judged on: the newest runs of a check with one definition, and its results by hour. */
export interface RuleInputs {
  /** of the runs (definition-key.ts); null: they are from before results named it */
  definition: string | null;
  /** the newest first, at most {@link KEPT_RUNS} */
  runs: readonly PastRun[];
  /** regions of the newest run */
  regions: readonly RegionAnswer[];
  /** runs right before the oldest of `runs`; null: that is the first one, or the one before it was good */
  earlier: Streaks | null;
  /**
   * Of all definitions, in the hour of the newest result; those of other hours stand by themselves. `entered`: position
   * of the first result since that is the hour, before which other hours do not change. null: there are no results.
   */
  hour: (HourSums & { entered: number }) | null;
}

/** Of what runs one after another there can be streaks. */
const NONE: Streaks = { least: [], majority: 0, all: 0, ended: [] };

export const isOk = (answer: Answer): boolean => answer === null || typeof answer === 'number';

/** How many regions of a run were not good. */
export const badIn = ({ answers }: Pick<PastRun, 'answers'>): number =>
  answers.filter((answer) => !isOk(answer)).length;

/** The streaks after one more run. */
export const longer = (before: Streaks | null, run: PastRun): Streaks | null => {
  const bad = badIn(run);
  if (bad === 0) return null;
  const { least, majority, all, ended } = before ?? NONE;
  const more = (count = 0): number => Math.min(count + 1, LONGEST_STREAK);
  return {
    least: Array.from({ length: bad }, (_, index) => more(least[index])),
    majority: bad * 2 > run.answers.length ? more(majority) : 0,
    all: bad === run.answers.length ? more(all) : 0,
    ended: [millisecondsOf(run.at), ...ended].slice(0, LONGEST_STREAK - KEPT_RUNS),
  };
};

/** The streaks without the runs up to a time. */
export const streaksSince = (streaks: Streaks, instant: Instant): Streaks => {
  const { least, majority, all, ended } = streaks;
  const count = ended.findIndex((at) => at <= millisecondsOf(instant));
  if (count === -1) return streaks;
  const first = (length: number): number => Math.min(length, count);
  return { least: least.map(first), majority: first(majority), all: first(all), ended: ended.slice(0, count) };
};

/** Inputs after one more run; a run of another definition begins anew. */
export const withRun = (
  before: RuleInputs | undefined,
  run: PastRun,
  { definition, regions }: Pick<RuleInputs, 'definition' | 'regions'>,
): Omit<RuleInputs, 'hour'> => {
  if (!before || before.definition !== definition) return { definition, regions, runs: [run], earlier: null };
  const oldest = before.runs.length < KEPT_RUNS ? undefined : before.runs.at(-1);
  return {
    definition,
    regions,
    runs: [run, ...(oldest ? before.runs.slice(0, -1) : before.runs)],
    earlier: oldest ? longer(before.earlier, oldest) : before.earlier,
  };
};
