import { Type } from '@sinclair/typebox';
import { createAlertRule, deleteAlertRule, updateAlertRule } from '../../../../commands/alerts/alert-rules.ts';
import { Invalid } from '../../../../domain/errors.ts';
import { revisedIn } from '../../../../domain/revision.ts';
import { alertRules } from '../../../../projections/alert-rules/projection.ts';
import {
  showAlertRule,
  findAlertRule,
  listAlertRules,
  withoutUnchangedChannels,
} from '../../../../queries/alerts/alert-rules.ts';
import type { RevealOptions } from '../../../../queries/checks/secrets.ts';
import { unpaginated } from '../../../pagination.ts';
import type { May } from '../../../permissions.ts';
import { resource } from '../../../resource.ts';
import type { Route } from '../../../route.ts';
import { Id, Tag } from '../../../schema.ts';
import { furtherProblems, NEW_RULE, requireSound } from './problems.ts';
import { NewAlertRuleBody, presentAlertRule, AlertRuleSchema, AlertRuleChangeBody } from './schema.ts';

const revealing = (may: May): RevealOptions => ({ reveal: may('secrets.reveal') });

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
    alsoRefused: ({ scope, body }) => furtherProblems(scope, NEW_RULE, body),
    ask: async ({ scope, body, context, commands }) => {
      await requireSound(scope, NEW_RULE, body);
      return commands.bind(createAlertRule)(body, context);
    },
  },
  change: {
    body: AlertRuleChangeBody,
    alsoRefused: ({ scope, body, found }) => furtherProblems(scope, found, body),
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
