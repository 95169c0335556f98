import { Type } from '@sinclair/typebox';
import type { AlertRuleFields } from '../../../../domain/alert-rule/fields.ts';
import { ALERT_RULE_DEFAULTS, type AlertRuleInput } from '../../../../domain/alert-rule/settings.ts';
import { Invalid } from '../../../../domain/errors.ts';
import type { FieldMessages } from '../../../../http/validation-messages.ts';
import { compile } from '../../../../http/routes/validate.ts';
import { alertRuleProblems } from '../../../../queries/alerts/alert-rules.ts';
import type { Scope } from '../../../../queries/engine/scope.ts';
import { ruleFields } from './schema.ts';

type ProblemScope = Parameters<typeof alertRuleProblems>[0];

/** The state that a new rule starts from: no check, no tag, and a condition without parameters. */
export const NEW_RULE: AlertRuleFields = {
  ...ALERT_RULE_DEFAULTS,
  name: '',
  condition: 'check_failed',
  channel_ids: [],
};

/** A validator for each field. */
const validators = Object.entries(ruleFields).map(
  ([field, schema]) => [field, compile(Type.Object({ [field]: schema }))] as const,
);

/**
 * Returns the fields of a body that match their schema. With these fields, the domain rules can be checked even if
 * other fields are invalid.
 */
const wellFormed = (body: Readonly<Record<string, unknown>>): AlertRuleInput =>
  Object.fromEntries(
    validators.flatMap(([field, validate]) =>
      field in body && validate({ [field]: body[field] }) === null ? [[field, body[field]]] : [],
    ),
  );

/** Returns the problems that the command would report for the valid fields of a body whose other fields are invalid. */
export const furtherProblems = async (
  scope: ProblemScope,
  before: AlertRuleFields,
  body: Readonly<Record<string, unknown>>,
): Promise<FieldMessages> => {
  const input = wellFormed(body);
  const { check_id, ...others } = await alertRuleProblems(scope, before, input);
  // A rule by tag needs no check, even if the tag is invalid.
  const isByTag = typeof body['tag'] === 'string' && input.tag === undefined;
  return { ...others, ...(check_id && !isByTag && { check_id }) };
};

/** @throws Invalid if the rule refers to something that does not exist or cannot be monitored */
export const requireSound = async (scope: Scope, before: AlertRuleFields, input: AlertRuleInput): Promise<void> => {
  const problems = await alertRuleProblems(scope, before, input);
  if (Object.keys(problems).length > 0) throw new Invalid({ json: problems });
};
