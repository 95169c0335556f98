import type { CheckRunCompleted } from '../check-result/events.ts';
import { NO_RUNNER } from '../check/missing-runners.ts';
import { later, type Instant } from '../time.ts';
import { STORING_GRACE_MS, type ExecutionGroupStarted, type ExecutionMode, type ExecutionType } from './events.ts';

/** The result of a region (docs/reference/regions.md#regional-results). */
export interface RegionalResult {
  /** null for a region without a result, or with a suspect one */
  result_id: string | null;
  /** id of the region */
  region: string;
  status: 'ok' | 'failed' | 'timeout';
  /** whole milliseconds */
  response_time: number | null;
  error_message: string | null;
  /** the time of the result, or the deadline */
  created_at: Instant;
}

/** A multi-region run: the fold of the events with its id. */
export interface ExecutionGroup {
  id: string;
  /** null for a definition without a check */
  check_id: string | null;
  organization_id: string;
  execution_mode: ExecutionMode;
  execution_type: ExecutionType;
  /** `completed`: all regions have a result; `timeout`: only some do; `failed`: none does. Suspect results do not count */
  status: 'running' | 'completed' | 'failed' | 'timeout';
  /** ids of the regions of the run */
  requested_regions: readonly string[];
  /** ids of the regions without a live runner at the start or the deadline: the run does not wait for them */
  unserved: readonly string[];
  /** of the regions with a result, or of all regions once it has ended; in the order of the regions */
  regional_results: readonly RegionalResult[];
  created_at: Instant;
  started_at: Instant;
  completed_at: Instant | null;
  timeout_at: Instant;
  triggered_by_user_id: string | null;
  run_id: string;
  /** when the run was due */
  slot: Instant;
  /** the job of an on-demand run */
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

/** The status of a result in jobs and groups (docs/reference/regions.md#regional-results). */
export const regionalStatusOf = ({
  status,
  reason,
}: Pick<CheckRunCompleted, 'status' | 'reason'>): RegionalResult['status'] => {
  if (status === 'ok') return 'ok';
  return reason === 'timeout' ? 'timeout' : 'failed';
};

const NO_RESULT = 'The region reported no result in time.';
const CUT_OFF = 'The runner of the region was cut off from its network, so its result does not count.';

/** The regional result; a suspect result counts as none (docs/reference/results.md#suspect-results). */
const regionalResultOf = (data: CheckRunCompleted, at: Instant): RegionalResult => {
  const { region, result_id, response_time, error_message, ran_at: created_at = at } = data;
  return data.suspect === true
    ? { result_id: null, region, status: 'timeout', response_time: null, error_message: CUT_OFF, created_at }
    : { result_id, region, status: regionalStatusOf(data), response_time, error_message, created_at };
};

/** The entry of a region without a result. @param at when the run ended */
const missing = (region: string, error_message: string, at: Instant): RegionalResult => ({
  result_id: null,
  region,
  status: 'timeout',
  response_time: null,
  error_message,
  created_at: at,
});

/** The entries of all regions, once the run has ended. @param at when it ended */
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

/** The final status of a group with an entry for each region. */
const endingOf = (results: readonly RegionalResult[]): 'completed' | 'failed' | 'timeout' => {
  if (results.every(hasResult)) return 'completed';
  return results.some(hasResult) ? 'timeout' : 'failed';
};

/**
 * A group after a result. Late and repeated results, and results of other regions, are ignored.
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
  // The order of results in the log may differ from their times, such as after an import.
  const completed_at = results.reduce((last, { created_at }) => (created_at > last ? created_at : last), at);
  const all = withMissing(group, results, completed_at);
  return { ...group, regional_results: all, status: endingOf(all), completed_at };
};

/**
 * A group after its deadline. Does not change a group that has already ended.
 *
 * @param unserved ids of regions without a live runner at that time
 */
export const timedOut = (group: ExecutionGroup, unserved: readonly string[] = []): ExecutionGroup => {
  if (group.status !== 'running') return group;
  const { regional_results, timeout_at: at } = group;
  const all = { ...group, unserved: [...new Set([...group.unserved, ...unserved])] };
  const results = withMissing(all, regional_results, at);
  return { ...all, status: endingOf(results), regional_results: results, completed_at: at };
};

/** The results that count for rules and verdicts: regions without a live runner are left out. */
export const countedResults = <R extends Pick<RegionalResult, 'region' | 'result_id'>>(
  { unserved }: Pick<ExecutionGroup, 'unserved'>,
  results: readonly R[],
): R[] => results.filter(({ region, result_id }) => result_id !== null || !unserved.includes(region));

const sortedByRegion = ({ requested_regions: regions }: ExecutionGroup, results: readonly RegionalResult[]) =>
  [...results].sort((one, other) => regions.indexOf(one.region) - regions.indexOf(other.region));

/** When a running group must be ended. */
export const dueAt = ({ timeout_at }: Pick<ExecutionGroup, 'timeout_at'>): Instant =>
  later(timeout_at, STORING_GRACE_MS);

/** The statistics over all regions (docs/reference/regions.md#statistics-of-a-group). */
export interface Statistics {
  /** number of regions */
  total_executions: number;
  /** number of regions with status ok */
  completed_executions: number;
  /** number of all other regions that have ended */
  failed_executions: number;
  /** over all response times, whole milliseconds; null without any */
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

/** Whether a multi-region run counts as a success; null if no region has a result (docs/reference/regions.md#parallel-runs). */
export const isGood = ({ regional_results: results }: Pick<ExecutionGroup, 'regional_results'>): boolean | null => {
  const answers = results.filter(hasResult);
  if (answers.length === 0) return null;
  return answers.filter(({ status }) => status === 'ok').length * 2 >= answers.length;
};
