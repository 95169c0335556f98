import { Type } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';
import { AlertRuleFields } from './fields.ts';

/** Events of a rule that watches a check, in `alert_rule-{rule_id}`. */
export const alertRuleEvents = {
  AlertRuleCreated: {
    version: 1,
    data: Type.Object({ rule_id: Type.String(), organization_id: Type.String(), rule: AlertRuleFields }),
  },
  AlertRuleUpdated: {
    version: 1,
    data: Type.Object({
      rule_id: Type.String(),
      changes: Type.Partial(AlertRuleFields),
      previous: Type.Partial(AlertRuleFields),
    }),
  },
  AlertRuleDeleted: { version: 1, data: Type.Object({ rule_id: Type.String() }) },
} as const satisfies EventDefinitions;

export type AlertRuleEvent = EventsOf<typeof alertRuleEvents>;
