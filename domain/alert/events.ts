import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { ConditionName, ConditionParameters, SeverityName } from '../alert-rule/fields.ts';
import { CheckTypeName } from '../check/events.ts';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** What was measured in a region. */
const measured = {
  /** id of the region */
  region: Type.String(),
  /** status of the result: `ok`, `down`, `failed` or `error` */
  status: Type.String(),
  /** whole milliseconds; null unless a complete answer came */
  response_time: nullable(Type.Integer()),
  /** what went wrong, for people */
  error_message: nullable(Type.String()),
};

/** A result that made an alert fire. */
export const TriggerResult = Type.Object({
  result_id: Type.String(),
  ...measured,
  /** what went wrong, for programs: `timeout`, `connect`, … */
  reason: nullable(Type.String()),
  /** when it was recorded */
  at: InstantSchema,
});
export type TriggerResult = Static<typeof TriggerResult>;

/** How a region saw the run that made an alert fire. */
export const RegionalSummary = Type.Object({
  ...measured,
  /** whether the condition held there */
  holds: Type.Boolean(),
});
export type RegionalSummary = Static<typeof RegionalSummary>;

/** How an alert was resolved (decisions.md: Alerts). */
const Resolution = Type.Union([Type.Literal('auto'), Type.Literal('manual')]);
export type Resolution = Static<typeof Resolution>;

/** Why an alert was resolved. */
const ResolvedBecause = Type.Union([
  /** the condition stopped holding */
  Type.Literal('condition'),
  Type.Literal('person'),
  Type.Literal('rule_disabled'),
  Type.Literal('rule_deleted'),
  /** the rule is now about another check, or the check has lost the rule's tag */
  Type.Literal('rule_changed'),
  Type.Literal('check_deleted'),
  Type.Literal('check_paused'),
]);
export type ResolvedBecause = Static<typeof ResolvedBecause>;

/**
 * Events of an alert, in `alert-{alert_id}` of the main log. It keeps what its rule and its check were when it fired:
 * names, severity and channels; what they are set to later changes nothing about it.
 */
export const alertEvents = {
  AlertFired: {
    version: 1,
    data: Type.Object({
      alert_id: Type.String(),
      organization_id: Type.String(),
      /** counts the alerts of its rule from 1; of a rule by tag, those of the check */
      number: Type.Integer({ minimum: 1 }),
      /** null: the service raised it about itself */
      rule_id: nullable(Type.String()),
      rule_name: Type.String(),
      /** of a rule by tag, the tag; absent: its rule is about one check. `number` counts within {@link alertSeries} */
      rule_tag: Type.Optional(Type.String()),
      check_id: nullable(Type.String()),
      check_name: nullable(Type.String()),
      check_type: nullable(CheckTypeName),
      severity: SeverityName,
      condition: nullable(ConditionName),
      condition_parameters: ConditionParameters,
      /** who is told that it fired, and that it was resolved */
      channel_ids: Type.Array(Type.String()),
      title: Type.String(),
      description: Type.String(),
      fired_at: InstantSchema,
      trigger_results: Type.Array(TriggerResult),
      regional_summary: Type.Array(RegionalSummary),
      alert_metadata: Type.Record(Type.String(), Type.Unknown()),
    }),
  },
  AlertAcknowledged: {
    version: 1,
    data: Type.Object({
      alert_id: Type.String(),
      acknowledged_at: InstantSchema,
      /** the person, or the API key that was used */
      acknowledged_by_id: Type.String(),
    }),
  },
  AlertResolved: {
    version: 1,
    data: Type.Object({
      alert_id: Type.String(),
      resolved_at: InstantSchema,
      /** the person, or the API key that was used; null: it was resolved by itself */
      resolved_by_id: nullable(Type.String()),
      resolution: Resolution,
      because: ResolvedBecause,
      /** whole seconds since it fired */
      duration: Type.Integer({ minimum: 0 }),
    }),
  },
  /** a person had resolved it, and since then its condition was seen not to hold: its rule may fire again */
  AlertConditionEnded: {
    version: 1,
    data: Type.Object({ alert_id: Type.String(), ended_at: InstantSchema }),
  },
  /** its rule or check was muted and no longer is: a message that was held back is sent, if it still applies */
  AlertMuteEnded: {
    version: 1,
    data: Type.Object({ alert_id: Type.String(), ended_at: InstantSchema }),
  },
} as const satisfies EventDefinitions;

export type AlertEvent = EventsOf<typeof alertEvents>;

export type AlertFired = Extract<AlertEvent, { type: 'AlertFired' }>['data'];
