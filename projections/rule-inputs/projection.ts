import type { RecordedEventOf } from '../../domain/event-types.ts';
import {
  STORED_RUNS,
  withRun,
  type RegionOutcome,
  type HourSums,
  type RegionResult,
  type RuleInputs,
} from '../../domain/alert/evaluation-inputs.ts';
import { resultTime } from '../../domain/check-result/result-time.ts';
import { countedResults, timedOut, withResult, type ExecutionGroup } from '../../domain/execution-group/state.ts';
import type { Instant } from '../../domain/time.ts';
import { hourOf } from '../check-results/hours.ts';
import { collection, defineProjection, type Models } from '../engine/fold/define.ts';
import { beginParallelRun, storeUntilEnded, findParallelRun } from '../parallel-runs.ts';

/** The inputs for the evaluation of a check's alert rules. The id is that of the check. */
export interface RuleInputsDocument extends RuleInputs {
  id: string;
  organization_id: string;
  /** Id of the check, repeated for the index. */
  check_id: string;
  /** Ids of the newest runs of earlier definitions, to detect duplicates. At most {@link STORED_RUNS}. */
  former_runs: readonly string[];
  /** Time at which the newest event of the check was recorded. */
  at: Instant;
  changed_position: number;
}

/** Sums of a check's results in an earlier hour. The sums of the current hour are in {@link RuleInputsDocument}. */
export interface RuleHourDocument extends HourSums {
  id: string;
  check_id: string;
}

/** A parallel run that has not ended, with data that the execution group does not contain. */
export interface OpenRunDocument extends ExecutionGroup {
  /** Definition of the check in the results. Null before the first result. */
  definition: string | null;
  /** Status and reason of the results, by region. Null for a suspect result. */
  said: Readonly<Record<string, readonly [string, string | null] | null>>;
}

const collections = {
  rule_inputs: collection<RuleInputsDocument>({
    // The evaluation reads the ids of changed checks from the index, without the documents, because most checks have no
    // rule.
    indexes: [{ changed_position: 1, check_id: 1 }],
    expires: { field: 'at' },
  }),
  rule_hours: collection<RuleHourDocument>({
    indexes: [{ check_id: 1, hour: 1, ok: 1, all: 1 }],
    expires: { field: 'hour' },
  }),
  open_runs: collection<OpenRunDocument>({ indexes: [], expires: { field: 'created_at' } }),
};

type InputModels = Models<typeof collections>;
type Result = RecordedEventOf<'CheckRunCompleted'>;

const hourIdOf = (checkId: string, hour: Instant): string => `${checkId} ${hour.slice(0, 13)}`;

/** Returns the inputs of a check before its first result. */
const newInputs = (id: string, organization_id: string): RuleInputsDocument => ({
  id,
  check_id: id,
  organization_id,
  definition: null,
  runs: [],
  regions: [],
  earlier: null,
  former_runs: [],
  hour: null,
  at: '',
  changed_position: 0,
});

/**
 * Counts a result in the hour in which it was recorded, and returns the sums of this hour, which are part of the check's
 * document. Because clocks can be set back, the newest result can belong to an earlier hour than the previous result.
 */
const hourWith = (
  { id: check_id, hour: before }: RuleInputsDocument,
  { data, metadata, position }: Result,
  { rule_hours }: InputModels,
): RuleInputsDocument['hour'] => {
  const hour = hourOf(metadata.recorded_at);
  const isSame = before?.hour === hour;
  if (before && !isSame) {
    const { ok, all } = before;
    rule_hours.put({ id: hourIdOf(check_id, before.hour), check_id, hour: before.hour, ok, all });
  }
  const known = isSame || !before ? before : rule_hours.get(hourIdOf(check_id, hour));
  const ok = (known?.ok ?? 0) + (data.status === 'ok' ? 1 : 0);
  return { hour, ok, all: (known?.all ?? 0) + 1, entered: isSame ? before.entered : Number(position) };
};

/**
 * Returns a new document of the same check. This function names all fields, because each result of each check makes
 * documents, and copying an object takes several times as long.
 */
const newDocument = (
  { id, check_id, organization_id, at, changed_position }: RuleInputsDocument,
  { definition, runs, regions, earlier }: Omit<RuleInputs, 'hour'>,
  former_runs: readonly string[],
  hour: RuleInputsDocument['hour'],
): RuleInputsDocument => ({
  id,
  check_id,
  organization_id,
  definition,
  runs,
  regions,
  earlier,
  former_runs,
  hour,
  at,
  changed_position,
});

const answerOf = ({ result_id, status, reason, response_time }: RegionResult): RegionOutcome => {
  if (status === 'ok') return response_time;
  if (result_id === null) return 'silent';
  return reason === 'timeout' ? 'timeout' : 'bad';
};

const isKnownRun = ({ runs, former_runs }: RuleInputsDocument, runId: string): boolean =>
  former_runs.includes(runId) || runs.some(({ id }) => id === runId);

/** Counts a run that has ended. */
const ended = (
  before: RuleInputsDocument,
  run: { id: string; at: Instant; regions: readonly RegionResult[]; definition: string | null },
): RuleInputsDocument => {
  const { id, at, regions, definition } = run;
  const isSame = definition === before.definition;
  const former_runs = isSame
    ? before.former_runs
    : [...before.runs.map((known) => known.id), ...before.former_runs].slice(0, STORED_RUNS);
  const after = withRun(before, { id, at, answers: regions.map(answerOf) }, { definition, regions });
  return newDocument(before, after, former_runs, before.hour);
};

/**
 * Returns the results of a parallel run, by region. Omits regions that had no live runner, or whose runner was cut off.
 */
const regionsOf = ({ unserved, regional_results, said }: OpenRunDocument): RegionResult[] =>
  countedResults({ unserved }, regional_results)
    .filter(({ region }) => said[region] !== null)
    .map(({ region, status, response_time, error_message, result_id, created_at: at }) => {
      const [of = status, reason = null] = said[region] ?? [];
      return { region, status: of, reason, response_time, error_message, result_id, at };
    });

/** Updates the inputs of a check if a parallel run has ended. A run without results changes nothing. */
const followed = (inputs: RuleInputsDocument, run: OpenRunDocument, models: InputModels): RuleInputsDocument => {
  if (!storeUntilEnded(run, models.open_runs)) return inputs;
  const regions = regionsOf(run);
  if (run.completed_at === null || !regions.some(({ result_id }) => result_id !== null)) return inputs;
  const { run_id: id, completed_at: at, definition } = run;
  return ended(inputs, { id, at, regions, definition });
};

const put = (
  inputs: RuleInputsDocument,
  { position, metadata }: { position: bigint; metadata: { recorded_at: Instant } },
  { rule_inputs }: InputModels,
  hour = inputs.hour,
): void => {
  const document = newDocument(inputs, inputs, inputs.former_runs, hour);
  document.at = metadata.recorded_at;
  document.changed_position = Number(position);
  rule_inputs.put(document);
};

const onSingle = (inputs: RuleInputsDocument, event: Result, models: InputModels): void => {
  const { run_id: id, region, status, reason = null, response_time, error_message, result_id } = event.data;
  if (isKnownRun(inputs, id)) return;
  const at = event.metadata.recorded_at;
  const regions = [{ region, status, reason, response_time, error_message, result_id, at: resultTime(event) }];
  const after = ended(inputs, { id, at, regions, definition: event.data.definition ?? null });
  put(after, event, models, hourWith(after, event, models));
};

const onRegional = (inputs: RuleInputsDocument, event: Result, models: InputModels): void => {
  const { data, metadata } = event;
  const run = findParallelRun(data, models.open_runs);
  if (!run) return;
  const group = withResult(run, data, metadata.recorded_at);
  if (group === run) return;
  const counts = data.suspect !== true;
  const results = { ...run.said, [data.region]: counts ? ([data.status, data.reason ?? null] as const) : null };
  const definition = data.definition ?? run.definition;
  const after = followed(inputs, { ...run, ...group, said: results, definition }, models);
  if (counts) put(after, event, models, hourWith(after, event, models));
  else if (after !== inputs) put(after, event, models);
};

/**
 * The inputs of alert rules, by check (docs/reference/alert-rules.md#judged-runs): the newest runs, and sums of results
 * by hour. Duplicates, and late, outdated or suspect runs are not included.
 */
export const ruleInputs = defineProjection({
  name: 'rule_inputs',
  version: 4,
  log: 'results',
  collections,
  documents: ({ data: { check_id, execution_group_id: group } }) =>
    check_id === undefined ? {} : { rule_inputs: [check_id], ...(group !== undefined && { open_runs: [group] }) },
  further: {
    CheckRunCompleted: ({ data: { check_id }, metadata }, { rule_inputs }) => {
      if (check_id === undefined) return {};
      const hour = hourOf(metadata.recorded_at);
      const known = rule_inputs.get(check_id)?.hour;
      return !known || known.hour === hour ? {} : { rule_hours: [hourIdOf(check_id, hour)] };
    },
  },
  on: {
    ExecutionGroupStarted: ({ data, metadata }, { rule_inputs, open_runs }) => {
      const isKnown = (checkId: string, runId: string): boolean => {
        const inputs = rule_inputs.get(checkId);
        return inputs !== undefined && isKnownRun(inputs, runId);
      };
      const run = beginParallelRun(data, metadata.recorded_at, open_runs, isKnown);
      if (run) open_runs.put({ ...run, definition: null, said: {} });
    },
    CheckRunCompleted: (event, models) => {
      const { check_id, organization_id, execution_group_id, late, outdated, suspect } = event.data;
      if (check_id === undefined) return;
      const inputs = models.rule_inputs.get(check_id) ?? newInputs(check_id, organization_id);
      if (execution_group_id !== undefined) onRegional(inputs, event, models);
      else if (late !== true && outdated !== true && suspect !== true) onSingle(inputs, event, models);
    },
    ExecutionGroupTimedOut: (event, models) => {
      const { check_id, execution_group_id, organization_id } = event.data;
      if (check_id === undefined) return;
      const run = models.open_runs.get(execution_group_id);
      if (!run) return;
      const inputs = models.rule_inputs.get(check_id) ?? newInputs(check_id, organization_id);
      const after = followed(inputs, { ...run, ...timedOut(run, event.data.unserved) }, models);
      if (after !== inputs) put(after, event, models);
    },
    ExecutionGroupCancelled: ({ data }, { open_runs }) => {
      if (data.check_id === undefined) return;
      open_runs.delete(data.execution_group_id);
    },
  },
});
