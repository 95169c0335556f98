import { windowStart } from '../../../domain/alert/condition.ts';
import { durationOf } from '../../../domain/alert/decide.ts';
import { MAX_STREAK, STORED_RUNS } from '../../../domain/alert/evaluation-inputs.ts';
import type { TriggerResult } from '../../../domain/alert/events.ts';
import type { AlertRuleFields } from '../../../domain/alert-rule/fields.ts';
import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import { instantOf, millisecondsOf, type Instant } from '../../../domain/time.ts';
import { checkResults } from '../../../projections/check-results/projection.ts';
import type { CheckDocument } from '../../../projections/checks/documents.ts';
import { suppressedTagId } from '../../../projections/quiet-checks/documents.ts';
import type { Scope } from '../../engine/scope.ts';
import { CheckSimulation, type SimulatedRule } from './check-simulation.ts';
import { countOf, playAll, type Playing, type Runner, type SimulationLimits, type SimulationPeriod } from './parts.ts';
import { CheckTimeline, readCheckEvents, tagsEverOf } from './check-timeline.ts';
import { findSimulatedChecks } from './simulated-checks.ts';
import { startOfRuns, StoredResults } from './stored-results.ts';
import { readSuppressionHistory, type ReadEvents } from './suppression-history.ts';

/** An alert that a rule would have raised. */
export interface SimulatedAlert {
  check_id: string;
  check_name: string;
  fired_at: Instant;
  /** null if the alert was still active at the end */
  resolved_at: Instant | null;
  /** whole seconds until it was resolved, or until the end of the simulation */
  duration: number;
  trigger_results: readonly TriggerResult[];
}

export interface Simulation {
  /** oldest first */
  alerts: SimulatedAlert[];
  /** number of runs that the rule was evaluated on */
  runs: number;
  /** whether a limit was reached; later alerts, or the alerts of some checks, are then missing */
  truncated: boolean;
}

export const SIMULATION_LIMITS: SimulationLimits = { results: 1_200_000, alerts: 1_000, checks: 250 };

export interface SimulationOptions {
  readEvents: ReadEvents;
  signal?: AbortSignal;
  limits?: SimulationLimits;
}

type SimulationScope = Pick<Scope, 'read' | 'organizationId'>;

/** Number of runs before the period that conditions can depend on. */
const EARLIER_RUNS = MAX_STREAK + STORED_RUNS;

/** Documents per query. */
const PAGE = 500;

/**
 * Returns the alerts that a rule would have raised and resolved if it had been created at the start of a period.
 * Ignores fields that only concern messages, and treats the rule as enabled. A rule by tag is simulated on each check
 * while the check had the tag.
 *
 * @throws NotFound if the check does not exist
 * @throws the reason of the signal
 */
export const simulateRule = async (
  scope: SimulationScope,
  rule: AlertRuleFields,
  period: SimulationPeriod,
  { readEvents, signal, limits = SIMULATION_LIMITS }: SimulationOptions,
): Promise<Simulation> => {
  const playing: Playing = { limits, pause: timeSlices(signal), signal };
  const { pause } = playing;
  const simulated = await findSimulatedChecks(scope, rule, { period, readEvents, limit: limits.checks, pause, signal });
  const { runners, isWhole } = await prepare(scope, rule, simulated.found, period.from, readEvents, playing);
  const { end, isComplete } = await playAll(runners, period, playing);
  const alerts = runners
    .flatMap(({ simulation }) => simulation.alerts)
    .sort((one, other) => (one.fired_at < other.fired_at ? -1 : one.fired_at > other.fired_at ? 1 : 0));
  return {
    alerts: await withDetails(
      scope,
      alerts.slice(0, limits.alerts).map((alert) => ({
        check_id: alert.check_id ?? '',
        check_name: alert.check_name ?? '',
        fired_at: alert.fired_at,
        resolved_at: alert.resolved_at,
        duration: alert.duration ?? durationOf(alert.fired_at, end),
        trigger_results: alert.trigger_results,
      })),
    ),
    runs: runners.reduce((sum, { simulation }) => sum + simulation.runs, 0),
    truncated: !simulated.isWhole || !isWhole || !isComplete || alerts.length > limits.alerts,
  };
};

/**
 * Creates the simulations of checks, and plays the results before the period.
 *
 * @returns `isWhole`: false if a limit was reached, so that checks are missing
 */
const prepare = async (
  scope: SimulationScope,
  rule: AlertRuleFields,
  simulated: readonly CheckDocument[],
  from: Instant,
  readEvents: ReadEvents,
  playing: Playing,
): Promise<{ runners: Runner[]; isWhole: boolean }> => {
  const { read, organizationId } = scope;
  const histories = new Map<string, Awaited<ReturnType<typeof readCheckEvents>>>();
  for (const { id } of simulated) histories.set(id, await readCheckEvents(id, organizationId, readEvents));
  const suppressing = new Map(
    [...histories].map(([id, events]) => [
      id,
      [id, ...tagsEverOf(events).map((tag) => suppressedTagId(organizationId, tag))],
    ]),
  );
  const suppressions = await readSuppressionHistory(
    scope,
    [...new Set([...suppressing.values()].flat())],
    readEvents,
    playing.pause,
  );
  const runners: Runner[] = [];
  for (const check of simulated) {
    const { id, name, type } = check;
    const quiet = (suppressing.get(id) ?? []).flatMap((of) => suppressions.get(of) ?? []);
    const timeline = new CheckTimeline(check, histories.get(id) ?? [], quiet);
    const itself: SimulatedRule = {
      ...rule,
      id: 'simulated',
      organization_id: organizationId,
      check_id: id,
      channel_ids: [],
      enabled: true,
    };
    const simulation = new CheckSimulation(itself, { id, name, type }, timeline);
    const start = await startOfInputs(scope, itself, check, from);
    const results = new StoredResults(read, { check, from: start, withReasons: rule.condition === 'check_timeout' });
    runners.push({ check, simulation, results });
    const { isComplete } = await playAll([{ check, simulation, results }], { from: start, to: from }, playing);
    if (!isComplete || countOf(runners) > playing.limits.results)
      return { runners: runners.slice(0, -1), isWhole: false };
    simulation.begin(from);
  }
  return { runners, isWhole: true };
};

/** Returns the time of the earliest result on which the evaluation at the start of the period can depend. */
const startOfInputs = async (
  { read }: SimulationScope,
  rule: SimulatedRule,
  { id }: CheckDocument,
  from: Instant,
): Promise<Instant> => {
  const ofRuns = (await startOfRuns(read, id, from, EARLIER_RUNS)) ?? from;
  if (rule.condition !== 'uptime_below_threshold') return ofRuns;
  const ofWindow = instantOf(windowStart(rule, millisecondsOf(from)));
  return ofWindow < ofRuns ? ofWindow : ofRuns;
};

/** Adds the error messages of results, which the simulation itself does not read. */
const withDetails = async ({ read }: SimulationScope, alerts: readonly SimulatedAlert[]): Promise<SimulatedAlert[]> => {
  const ids = alerts.flatMap(({ trigger_results }) => trigger_results.map(({ result_id }) => result_id));
  const errors = new Map<string, Pick<TriggerResult, 'reason' | 'error_message'>>();
  for (let first = 0; first < ids.length; first += PAGE) {
    const found = await read(checkResults).check_results.getMany(ids.slice(first, first + PAGE));
    for (const { id, reason = null, error_message = null } of found) errors.set(id, { reason, error_message });
  }
  return alerts.map((alert) => ({
    ...alert,
    trigger_results: alert.trigger_results.map((result) => ({ ...result, ...errors.get(result.result_id) })),
  }));
};
