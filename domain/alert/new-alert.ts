import type { AlertRuleFields } from '../alert-rule/fields.ts';
import { instantOf } from '../time.ts';
import { metSince, isMetInRegion, uptimeAt } from './condition.ts';
import type { AlertFiring } from './decide.ts';
import { monitoredOf, type EvaluationFacts } from './evaluation.ts';
import type { RegionResult } from './evaluation-inputs.ts';
import { textsOf } from './texts.ts';

/** The rule and the check of a new alert, with the details that evaluating the rule did not need. */
export interface FiringSubject {
  rule: AlertRuleFields & { id: string; organization_id: string };
  check: { id: string; name: string; type: string };
  /** outcomes of the newest run by region */
  regions: readonly RegionResult[];
}

/** Rounds down to two decimals, so that an uptime below the threshold never appears equal to the threshold. */
const roundedDown = (uptime: number): number => Math.floor(uptime * 100) / 100;

/** Returns the data of a new alert of a rule. */
export const firingOf = (
  facts: EvaluationFacts,
  number: number,
  { rule, check, regions }: FiringSubject,
): AlertFiring => {
  const watched = monitoredOf(facts) ?? { runs: [], earlier: null, window: { ok: 0, all: 0, from: '' } };
  const regional_summary = regions.map(({ region, status, response_time, error_message, ...rest }) => ({
    region,
    status,
    response_time,
    error_message,
    holds: isMetInRegion(rule, { region, status, response_time, error_message, ...rest }),
  }));
  const uptime = rule.condition === 'uptime_below_threshold' ? uptimeAt(watched, 0) : null;
  return {
    organization_id: rule.organization_id,
    number,
    rule_id: rule.id,
    rule_name: rule.name,
    ...(rule.tag !== null && { rule_tag: rule.tag }),
    check_id: check.id,
    check_name: check.name,
    check_type: check.type,
    severity: rule.severity,
    condition: rule.condition,
    condition_parameters: rule.condition_parameters,
    channel_ids: rule.channel_ids,
    ...textsOf({
      rule,
      check,
      since: metSince(rule, watched) ?? instantOf(facts.now),
      regional_summary,
      uptime: uptime === null ? null : roundedDown(uptime),
    }),
    trigger_results: regions.flatMap((answer) =>
      answer.result_id !== null && isMetInRegion(rule, answer) ? [{ ...answer, result_id: answer.result_id }] : [],
    ),
    regional_summary,
    alert_metadata: {},
  };
};
