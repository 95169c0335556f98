import {
  countedResults,
  isGood,
  timedOut,
  withResult,
  type ExecutionGroup,
} from '../../domain/execution-group/state.ts';
import type { CheckResultVerdict } from '../../domain/check/status-change.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';
import { beginParallelRun, storeUntilEnded, findParallelRun } from '../parallel-runs.ts';

/**
 * The verdict of a check's newest run: the to-do list of the reactor that marks checks as up, down and recovered
 * (reactors/check-status.ts).
 */
export interface CheckVerdictDocument extends CheckResultVerdict {
  /** id of the check */
  id: string;
  organization_id: string;
  /**
   * Position of the newest event that changed the verdict or was the first event of a day. The reactor handles
   * documents with a position after its checkpoint. The first event of each day updates the position, so that the
   * document does not depend on events that the retention has removed.
   */
  changed_position: number;
  /** Ids of the most recently evaluated runs, newest first, to detect duplicates. */
  judged: readonly string[];
}

/** The verdict of an event, with its check and organization. */
interface RunVerdict extends CheckResultVerdict {
  organization_id: string;
}

/**
 * Number of run ids in a document. A run starts within a minute of its slot, and a repeated result arrives after at
 * most the duration of the run. Runs of a check are at least half a minute apart, so this number is sufficient.
 */
const REMEMBERED = 16;

/**
 * Stores a verdict. The most recently recorded run decides, even if its time is earlier. Otherwise a clock that was
 * ahead for some time would make later results look outdated.
 */
const applyVerdict = (verdict: RunVerdict, position: bigint, check_verdicts: Model<CheckVerdictDocument>): void => {
  const known = check_verdicts.get(verdict.check_id);
  if (known?.judged.includes(verdict.run_id)) return;
  const same = known?.good === verdict.good && known.at.slice(0, 10) === verdict.at.slice(0, 10);
  check_verdicts.put({
    id: verdict.check_id,
    ...verdict,
    changed_position: same ? known.changed_position : Number(position),
    judged: [verdict.run_id, ...(known?.judged ?? [])].slice(0, REMEMBERED),
  });
};

/** Returns the verdict of a parallel run, or null if the run has not ended or no region reported a result. */
const verdictOf = (group: ExecutionGroup): RunVerdict | null => {
  const { check_id, organization_id, run_id, slot, completed_at: at } = group;
  const results = countedResults(group, group.regional_results);
  const good = isGood(group);
  if (check_id === null || at === null || good === null) return null;
  const bad = results.filter(({ status }) => status !== 'ok');
  const agreeing = results.find(({ result_id, status }) => result_id !== null && (status === 'ok') === good);
  if (!agreeing?.result_id) return null;
  const { result_id, region, error_message: reason } = agreeing;
  const error_message = good
    ? null
    : `Failed in ${bad.length} of ${results.length} regions; ${region}: ${reason ?? 'no reason'}`;
  return { good, check_id, organization_id, result_id, run_id, slot, region, at, error_message };
};

/** Applies the verdict of an execution group if the group has ended. */
const followed = (
  after: ExecutionGroup,
  position: bigint,
  {
    check_verdicts,
    running_groups,
  }: { check_verdicts: Model<CheckVerdictDocument>; running_groups: Model<ExecutionGroup> },
): void => {
  if (!storeUntilEnded(after, running_groups)) return;
  const verdict = verdictOf(after);
  if (verdict) applyVerdict(verdict, position, check_verdicts);
};

export const checkVerdicts = defineProjection({
  name: 'check_verdicts',
  version: 5,
  log: 'results',
  collections: {
    check_verdicts: collection<CheckVerdictDocument>({
      indexes: [{ changed_position: 1 }],
      expires: { field: 'at' },
    }),
    /** Parallel runs that have not ended. */
    running_groups: collection<ExecutionGroup>({ indexes: [], expires: { field: 'created_at' } }),
  },
  documents: ({ data: { check_id, execution_group_id: group } }) =>
    check_id === undefined
      ? {}
      : { check_verdicts: [check_id], ...(group !== undefined && { running_groups: [group] }) },
  on: {
    ExecutionGroupStarted: ({ data, metadata }, { check_verdicts, running_groups }) => {
      const isJudged = (check: string, run: string) => check_verdicts.get(check)?.judged.includes(run) ?? false;
      const group = beginParallelRun(data, metadata.recorded_at, running_groups, isJudged);
      if (group) running_groups.put(group);
    },
    CheckRunCompleted: ({ data, metadata, position }, models) => {
      const { check_id, organization_id, result_id, run_id, slot, region, status, error_message } = data;
      if (check_id === undefined) return;
      const at = metadata.recorded_at;
      if (data.execution_group_id === undefined) {
        if (data.late === true || data.outdated === true || data.suspect === true) return;
        const good = status === 'ok';
        const verdict = { good, check_id, organization_id, result_id, run_id, slot, region, at, error_message };
        applyVerdict(verdict, position, models.check_verdicts);
        return;
      }
      const group = findParallelRun(data, models.running_groups);
      if (group) followed(withResult(group, data, at), position, models);
    },
    ExecutionGroupTimedOut: ({ data, position }, models) => {
      if (data.check_id === undefined) return;
      const group = models.running_groups.get(data.execution_group_id);
      if (group) followed(timedOut(group, data.unserved), position, models);
    },
    ExecutionGroupCancelled: ({ data }, { running_groups }) => {
      if (data.check_id === undefined) return;
      running_groups.delete(data.execution_group_id);
    },
  },
});
