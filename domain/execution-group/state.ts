import type { CheckRunCompleted } from '../check-result/events.ts';
import { NO_RUNNER } from '../check/missing-runners.ts';
import { later, type Instant } from '../time.ts';
import { STORING_GRACE_MS, type ExecutionGroupStarted, type ExecutionMode, type ExecutionType } from './events.ts';

/** The result of one region in a multi-region run (docs/reference/regions.md#regional-results). */
export interface RegionalResult {
  /** null for a region without a result, or with a suspect result */
  result_id: string | null;
  /** id of the region */
  region: string;
  status: 'ok' | 'failed' | 'timeout';
  /** whole milliseconds */
  response_time: number | null;
  error_message: string | null;
  /** the time of the result; for a missing result, the end of the run */
  created_at: Instant;
}

/** The state of a multi-region run. It is the fold of all events that contain the id of its group. */
export interface ExecutionGroup {
  id: string;
  /** null if the request contained the definition, so that the run belongs to no stored check */
  check_id: string | null;
  organization_id: string;
  execution_mode: ExecutionMode;
  execution_type: ExecutionType;
  /**
   * `completed`: all regions have a result; `timeout`: only some regions have a result; `failed`: no region has a
   * result. Suspect results are not counted.
   */
  status: 'running' | 'completed' | 'failed' | 'timeout';
  /** ids of the regions of the run */
  requested_regions: readonly string[];
  /** ids of the regions without a live runner at the start or at the deadline; the run does not wait for them */
  unserved: readonly string[];
  /** in the order of the regions; until the end of the run, regions without a result are absent */
  regional_results: readonly RegionalResult[];
  created_at: Instant;
  started_at: Instant;
  completed_at: Instant | null;
  timeout_at: Instant;
  triggered_by_user_id: string | null;
  run_id: string;
  /** when the run was due */
  slot: Instant;
  /** id of the job that requested the run; only for an on-demand run */
  execution_id: string | null;
}

export const startedGroup = (data: ExecutionGroupStarted, at: Instant): ExecutionGroup => ({
  id: data.execution_group_id,
  check_id: data.check_id ?? null,
  organization_id: data.organization_id,
  execution_mode: data.execution_mode,
  execution_type: data.execution_type,
  status: 'running',
  requested_regions: data.regions,
  unserved: data.unserved ?? [],
  regional_results: [],
  created_at: at,
  started_at: at,
  completed_at: null,
  timeout_at: data.timeout_at,
  triggered_by_user_id: data.triggered_by_user_id ?? null,
  run_id: data.run_id,
  slot: data.slot,
  execution_id: data.execution_id ?? null,
});

/** Returns the status that a result has in jobs and groups (docs/reference/regions.md#regional-results). */
export const regionalStatusOf = ({
  status,
  reason,
}: Pick<CheckRunCompleted, 'status' | 'reason'>): RegionalResult['status'] => {
  if (status === 'ok') return 'ok';
  return reason === 'timeout' ? 'timeout' : 'failed';
};

const NO_RESULT = 'The region reported no result in time.';
const CUT_OFF = 'The runner of the region was cut off from its network, so its result does not count.';

/**
 * Returns the entry of a region with a result. A suspect result counts as missing
 * (docs/reference/results.md#suspect-results).
 */
const regionalResultOf = (data: CheckRunCompleted, at: Instant): RegionalResult => {
  const { region, result_id, response_time, error_message, ran_at: created_at = at } = data;
  return data.suspect === true
    ? { result_id: null, region, status: 'timeout', response_time: null, error_message: CUT_OFF, created_at }
    : { result_id, region, status: regionalStatusOf(data), response_time, error_message, created_at };
};

/** Returns the entry of a region without a result. @param at when the run ended */
const missing = (region: string, error_message: string, at: Instant): RegionalResult => ({
  result_id: null,
  region,
  status: 'timeout',
  response_time: null,
  error_message,
  created_at: at,
});

/** Returns the entries of all regions after the end of the run. @param at when the run ended */
const withMissing = (
  { requested_regions, unserved }: Pick<ExecutionGroup, 'requested_regions' | 'unserved'>,
  results: readonly RegionalResult[],
  at: Instant,
): RegionalResult[] =>
  requested_regions.map(
    (region) =>
      results.find((result) => result.region === region) ??
      missing(region, unserved.includes(region) ? NO_RUNNER : NO_RESULT, at),
  );

const hasResult = ({ result_id }: RegionalResult): boolean => result_id !== null;

/** Returns the final status of a group. @param results one entry for each region */
const endingOf = (results: readonly RegionalResult[]): 'completed' | 'failed' | 'timeout' => {
  if (results.every(hasResult)) return 'completed';
  return results.some(hasResult) ? 'timeout' : 'failed';
};

/**
 * Returns a group after a result. Late and repeated results, and results of other regions, are ignored.
 *
 * @param at when the result was recorded
 */
export const withResult = (group: ExecutionGroup, data: CheckRunCompleted, at: Instant): ExecutionGroup => {
  const { region } = data;
  const known = group.regional_results.some((result) => result.region === region);
  if (group.status !== 'running' || data.late === true || known || !group.requested_regions.includes(region))
    return group;
  const results = sortedByRegion(group, [...group.regional_results, regionalResultOf(data, at)]);
  const awaited = group.requested_regions.filter((requested) => !group.unserved.includes(requested));
  const isComplete = awaited.every((requested) => results.some((result) => result.region === requested));
  if (!isComplete) return { ...group, regional_results: results };
  // Results in the log may not be in the order of their times, for example after an import.
  const completed_at = results.reduce((last, { created_at }) => (created_at > last ? created_at : last), at);
  const all = withMissing(group, results, completed_at);
  return { ...group, regional_results: all, status: endingOf(all), completed_at };
};

/**
 * Returns a group after its deadline. A group that has already ended is returned unchanged.
 *
 * @param unserved ids of the regions without a live runner at the deadline
 */
export const timedOut = (group: ExecutionGroup, unserved: readonly string[] = []): ExecutionGroup => {
  if (group.status !== 'running') return group;
  const { regional_results, timeout_at: at } = group;
  const all = { ...group, unserved: [...new Set([...group.unserved, ...unserved])] };
  const results = withMissing(all, regional_results, at);
  return { ...all, status: endingOf(results), regional_results: results, completed_at: at };
};

/** Returns the results that count for alert rules and verdicts. Regions without a live runner are left out. */
export const countedResults = <R extends Pick<RegionalResult, 'region' | 'result_id'>>(
  { unserved }: Pick<ExecutionGroup, 'unserved'>,
  results: readonly R[],
): R[] => results.filter(({ region, result_id }) => result_id !== null || !unserved.includes(region));

const sortedByRegion = ({ requested_regions: regions }: ExecutionGroup, results: readonly RegionalResult[]) =>
  [...results].sort((one, other) => regions.indexOf(one.region) - regions.indexOf(other.region));

/** Returns when a running group must be ended. */
export const dueAt = ({ timeout_at }: Pick<ExecutionGroup, 'timeout_at'>): Instant =>
  later(timeout_at, STORING_GRACE_MS);

/** The statistics of a multi-region run (docs/reference/regions.md#statistics-of-a-group). */
export interface Statistics {
  /** number of regions */
  total_executions: number;
  /** number of regions with status ok */
  completed_executions: number;
  /** number of regions with another status; regions without an entry in `regional_results` are not counted */
  failed_executions: number;
  /** average of all response times in whole milliseconds; null if there are no response times */
  avg_response_time: number | null;
  min_response_time: number | null;
  max_response_time: number | null;
}

export const statisticsOf = (group: Pick<ExecutionGroup, 'requested_regions' | 'regional_results'>): Statistics => {
  const { requested_regions: regions, regional_results: results } = group;
  const good = results.filter(({ status }) => status === 'ok').length;
  const times = results.map((result) => result.response_time).filter((time) => time !== null);
  const some = times.length > 0;
  return {
    total_executions: regions.length,
    completed_executions: good,
    failed_executions: results.length - good,
    avg_response_time: some ? Math.round(times.reduce((sum, time) => sum + time, 0) / times.length) : null,
    min_response_time: some ? Math.min(...times) : null,
    max_response_time: some ? Math.max(...times) : null,
  };
};

/**
 * Whether a multi-region run counts as a success: at least half of the regions with a result are ok
 * (docs/reference/regions.md#parallel-runs). Returns null if no region has a result.
 */
export const isGood = ({ regional_results: results }: Pick<ExecutionGroup, 'regional_results'>): boolean | null => {
  const answers = results.filter(hasResult);
  if (answers.length === 0) return null;
  return answers.filter(({ status }) => status === 'ok').length * 2 >= answers.length;
};
