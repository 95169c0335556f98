import { Type, type Static } from '@sinclair/typebox';
import type { AlertRuleFields } from '../../../../domain/alert-rule/fields.ts';
import { ALERT_RULE_DEFAULTS, withDefaults as ruleAfter } from '../../../../domain/alert-rule/settings.ts';
import { periodProblems, simulatedEnd } from '../../../../domain/alert-rule/simulated-period.ts';
import type { Instant } from '../../../../domain/time.ts';
import type { FieldMessages } from '../../../../http/validation-messages.ts';
import { alertRuleProblems } from '../../../../queries/alerts/alert-rules.ts';
import { SIMULATION_LIMITS, type Simulation } from '../../../../queries/alerts/simulation/simulate.ts';
import { Id, InstantOut, instantIn, namedSchema, nullable, withDefaults } from '../../../schema.ts';
import { TriggerResult } from '../schema.ts';
import { furtherProblems, NEW_RULE } from './problems.ts';
import { ruleFields } from './schema.ts';

const { condition, check_id, tag, condition_parameters, multi_region_mode, multi_region_threshold } = ruleFields;
const { cooldown_period, auto_resolve, confirmations, recovery_confirmations } = ruleFields;

/** The fields of a rule on which its alerts depend. */
const simulatedFields = {
  check_id,
  tag,
  condition_parameters,
  multi_region_mode,
  multi_region_threshold,
  cooldown_period,
  auto_resolve,
  confirmations,
  recovery_confirmations,
};

/** Body of a simulation. Fields of a rule that do not affect its alerts are ignored. */
export const SimulationBody = Type.Object({
  ...withDefaults(simulatedFields, ALERT_RULE_DEFAULTS),
  condition,
  from: instantIn({ description: 'The start of the period, not before the retention period of results.' }),
  to: instantIn({
    end: true,
    description:
      'The end of the period, later than `from` and not in the future. The date of today means the current time.',
  }),
});
export type SimulationBody = Static<typeof SimulationBody>;

const { results, alerts } = SIMULATION_LIMITS;

/** docs/reference/alert-rules.md#simulation. */
export const SimulationSchema = namedSchema(
  'AlertSimulation',
  Type.Object({
    alerts: Type.Array(
      Type.Object({
        check_id: Id,
        check_name: Type.String(),
        fired_at: InstantOut,
        resolved_at: nullable({ ...InstantOut, description: 'Null if the alert was still active at the end.' }),
        duration: Type.Integer({ minimum: 0, description: 'In seconds. For an active alert until the end.' }),
        trigger_results: Type.Array(TriggerResult),
      }),
      { description: 'Oldest first.' },
    ),
    runs: Type.Integer({ minimum: 0, description: 'Number of runs that the rule was evaluated on.' }),
    truncated: Type.Boolean({
      description: `Whether a limit was reached, such as ${results.toLocaleString('en')} results or ${alerts.toLocaleString('en')} alerts. Further alerts are then missing.`,
    }),
  }),
);

/** Returns the fields of a body that belong to the rule. */
const ruleIn = <B extends object>(body: B): Omit<B, 'from' | 'to'> =>
  Object.fromEntries(
    Object.entries(body).filter(([field]) => field === 'condition' || field in simulatedFields),
  ) as unknown as Omit<B, 'from' | 'to'>;

/** Returns the rule that a body describes. */
export const simulatedRule = (body: SimulationBody): AlertRuleFields => ruleAfter(NEW_RULE, ruleIn(body));

/** Returns the period that a body describes. */
export const simulatedPeriod = ({ from, to }: SimulationBody, now: Instant): { from: Instant; to: Instant } => ({
  from,
  to: simulatedEnd(to, now),
});

type ProblemScope = Parameters<typeof alertRuleProblems>[0];

/** Returns the problems of a body that the schema does not report, by field. */
export const simulationProblems = async (scope: ProblemScope, body: SimulationBody): Promise<FieldMessages> => ({
  ...(await alertRuleProblems(scope, NEW_RULE, ruleIn(body))),
  ...periodProblems(body, { now: scope.now, resultsFrom: scope.resultsFrom() }),
});

/** Returns the problems of the valid fields of a body whose other fields are invalid. */
export const furtherSimulationProblems = async (
  scope: ProblemScope,
  body: Readonly<Record<string, unknown>>,
): Promise<FieldMessages> => {
  const { from, to } = body;
  const time = (value: unknown): string | undefined =>
    typeof value === 'string' && INSTANT.test(value) ? value : undefined;
  return {
    ...(await furtherProblems(scope, NEW_RULE, ruleIn(body))),
    ...periodProblems({ from: time(from), to: time(to) }, { now: scope.now, resultsFrom: scope.resultsFrom() }),
  };
};

/** The form of valid times. The route has already converted all valid times to this form (http/routes/route.ts). */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/;

export const presentSimulation = (simulation: Simulation): Static<typeof SimulationSchema> => ({
  ...simulation,
  alerts: simulation.alerts.map((alert) => ({ ...alert, trigger_results: [...alert.trigger_results] })),
});
