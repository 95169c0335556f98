import { Type, type TSchema } from '@sinclair/typebox';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';
import { AlertRuleFields } from './fields.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/**
 * Events of an alert rule, in the stream `alert_rule-{rule_id}`. A rule watches one check, or all checks with a tag.
 */
export const alertRuleEvents = {
  AlertRuleCreated: {
    version: 3,
    data: Type.Object({ rule_id: Type.String(), organization_id: Type.String(), rule: AlertRuleFields }),
  },
  AlertRuleUpdated: {
    version: 3,
    data: Type.Object({
      rule_id: Type.String(),
      changes: Type.Partial(AlertRuleFields),
      previous: Type.Partial(AlertRuleFields),
    }),
  },
  /**
   * The rule's alerts send no messages until `muted_until`. null: the rule is not muted. Never an instant in the past.
   */
  AlertRuleMuted: {
    version: 1,
    data: Type.Object({
      rule_id: Type.String(),
      muted_until: nullable(InstantSchema),
      previous: nullable(InstantSchema),
    }),
  },
  AlertRuleDeleted: { version: 1, data: Type.Object({ rule_id: Type.String() }) },
} as const satisfies EventDefinitions;

export type AlertRuleEvent = EventsOf<typeof alertRuleEvents>;
