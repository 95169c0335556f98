import { Type } from '@sinclair/typebox';
import { createAlertRule, deleteAlertRule, updateAlertRule } from '../../../../commands/alerts/alert-rules.ts';
import type { AlertRuleFields } from '../../../../domain/alert-rule/fields.ts';
import { ALERT_RULE_DEFAULTS, type AlertRuleInput } from '../../../../domain/alert-rule/settings.ts';
import { Invalid } from '../../../../domain/errors.ts';
import { revisedIn } from '../../../../domain/revision.ts';
import type { FieldMessages } from '../../../../http/validation-messages.ts';
import { compile } from '../../../../http/routes/validate.ts';
import { alertRules } from '../../../../projections/alert-rules/projection.ts';
import {
  alertRuleProblems,
  showAlertRule,
  findAlertRule,
  listAlertRules,
  withoutUnchangedChannels,
} from '../../../../queries/alerts/alert-rules.ts';
import type { RevealOptions } from '../../../../queries/checks/secrets.ts';
import type { Scope } from '../../../../queries/engine/scope.ts';
import { unpaginated } from '../../../pagination.ts';
import type { May } from '../../../permissions.ts';
import { resource } from '../../../resource.ts';
import type { Route } from '../../../route.ts';
import { Id, Tag } from '../../../schema.ts';
import { NewAlertRuleBody, presentAlertRule, AlertRuleSchema, AlertRuleChangeBody, ruleFields } from './schema.ts';

const revealing = (may: May): RevealOptions => ({ reveal: may('secrets.reveal') });

/** The fields of a new rule before the request is applied: no check, no tag, and a condition without parameters. */
const NEW: AlertRuleFields = {
  ...ALERT_RULE_DEFAULTS,
  name: '',
  condition: 'check_failed',
  channel_ids: [],
};

/** The fields, each with a validator. */
const validators = Object.entries(ruleFields).map(
  ([field, schema]) => [field, compile(Type.Object({ [field]: schema }))] as const,
);

/**
 * Returns the fields of a body that match their schema, so that these can be checked against the rules of the domain
 * even if other fields are invalid.
 */
const wellFormed = (body: Readonly<Record<string, unknown>>): AlertRuleInput =>
  Object.fromEntries(
    validators.flatMap(([field, validate]) =>
      field in body && validate({ [field]: body[field] }) === null ? [[field, body[field]]] : [],
    ),
  );

const alsoBroken = async (
  scope: Scope,
  before: AlertRuleFields,
  body: Readonly<Record<string, unknown>>,
): Promise<FieldMessages> => {
  const input = wellFormed(body);
  const { check_id, ...others } = await alertRuleProblems(scope, before, input);
  // A rule needs a check or a tag. If a tag was sent but is invalid, only the tag is reported, not the missing check.
  const isByTag = typeof body['tag'] === 'string' && input.tag === undefined;
  return { ...others, ...(check_id && !isByTag && { check_id }) };
};

/** @throws Invalid if the rule refers to something that does not exist or cannot be monitored */
const requireSound = async (scope: Scope, before: AlertRuleFields, input: AlertRuleInput): Promise<void> => {
  const problems = await alertRuleProblems(scope, before, input);
  if (Object.keys(problems).length > 0) throw new Invalid({ json: problems });
};

/** `by_tag=false` excludes the rules that `tag` selects, so no rule can match both. */
const CONTRADICTION = { query: { by_tag: ['Must be true, or left out, if a tag is sent.'] } };

export const alertRuleRoutes: Route[] = resource({
  path: '/v1/alerts/rules',
  id: 'rule_id',
  tag: 'Alerts',
  noun: 'alert rule',
  needs: { read: 'alerts.read', write: 'alerts.write' },
  revised: ({ rule_id }) => revisedIn('alert_rule', rule_id),
  find: ({ scope, params }) => findAlertRule(scope, params.rule_id),
  show: ({ scope, params, may }) => showAlertRule(scope, params.rule_id, revealing(may)),
  schema: AlertRuleSchema,
  present: presentAlertRule,
  confidential: true,
  list: {
    summary: 'List alert rules',
    description: 'The list is sorted newest first.',
    style: unpaginated,
    filters: {
      check_id: { ...Id, description: 'Only rules for this check. With `by_tag=true` also rules for one of its tags.' },
      tag: { ...Tag, description: 'Only rules for this tag.' },
      by_tag: Type.Boolean({
        description: 'Whether the list includes rules for tags. By default only if `tag` is sent.',
      }),
    },
    ask: ({ scope, query, may }, paging) => {
      if (query.tag !== undefined && query.by_tag === false) throw new Invalid(CONTRADICTION, 'The query is invalid.');
      return listAlertRules(scope, query, paging, revealing(may));
    },
  },
  create: {
    description: 'The rule is for one check, or for all checks with a tag.',
    body: NewAlertRuleBody,
    alsoRefused: ({ scope, body }) => alsoBroken(scope, NEW, body),
    ask: async ({ scope, body, context, commands }) => {
      await requireSound(scope, NEW, body);
      return commands.bind(createAlertRule)(body, context);
    },
  },
  change: {
    body: AlertRuleChangeBody,
    alsoRefused: ({ scope, body, found }) => alsoBroken(scope, found, body),
    ask: async ({ scope, params, body, found, context, commands }) => {
      const input = await withoutUnchangedChannels(scope, found, body);
      await requireSound(scope, found, input);
      return commands.bind(updateAlertRule)(params.rule_id, input, context);
    },
  },
  remove: {
    waitsFor: [alertRules.name],
    ask: ({ params, context, commands }) => commands.bind(deleteAlertRule)(params.rule_id, context),
  },
});
