import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { ConditionName, ConditionParameters, SeverityName } from '../alert-rule/fields.ts';
import { CheckTypeName } from '../check/events.ts';
import { InstantSchema, type EventDefinitions, type EventsOf } from '../event.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The measurement in one region. */
const measured = {
  /** id of the region */
  region: Type.String(),
  /** status of the result: `ok`, `down`, `failed` or `error` */
  status: Type.String(),
  /** whole milliseconds; null without a complete response */
  response_time: nullable(Type.Integer()),
  /** the error as a sentence */
  error_message: nullable(Type.String()),
};

/** A result that made an alert fire. */
export const TriggerResult = Type.Object({
  result_id: Type.String(),
  ...measured,
  /** the error as a code: `timeout`, `connect`, … */
  reason: nullable(Type.String()),
  /** when the result was recorded */
  at: InstantSchema,
});
export type TriggerResult = Static<typeof TriggerResult>;

/** The result of one region in the run that made an alert fire. */
export const RegionalSummary = Type.Object({
  ...measured,
  /** whether the condition was met in this region */
  holds: Type.Boolean(),
});
export type RegionalSummary = Static<typeof RegionalSummary>;

/** How an alert was resolved (docs/reference/alerts.md#automatic-end). */
const Resolution = Type.Union([Type.Literal('auto'), Type.Literal('manual')]);
export type Resolution = Static<typeof Resolution>;

/** Why an alert was resolved. */
const ResolvedBecause = Type.Union([
  /** the condition is no longer met */
  Type.Literal('condition'),
  Type.Literal('person'),
  Type.Literal('rule_disabled'),
  Type.Literal('rule_deleted'),
  /** the rule now watches another check, or the check no longer has the rule's tag */
  Type.Literal('rule_changed'),
  Type.Literal('check_deleted'),
  Type.Literal('check_paused'),
]);
export type ResolvedBecause = Static<typeof ResolvedBecause>;

/**
 * Events of an alert, in the stream `alert-{alert_id}` of the main log. AlertFired contains the names, severity and
 * channels of the rule and the check at that time. Later changes of rule and check do not affect the alert.
 */
export const alertEvents = {
  AlertFired: {
    version: 1,
    data: Type.Object({
      alert_id: Type.String(),
      organization_id: Type.String(),
      /**
       * Number of the alert among the alerts of its rule, from 1. For a rule that watches a tag, only alerts for the
       * same check are counted.
       */
      number: Type.Integer({ minimum: 1 }),
      /** null: the service raised the alert about its own state */
      rule_id: nullable(Type.String()),
      rule_name: Type.String(),
      /** the tag of a rule that watches a tag; absent for a rule that watches one check. See {@link alertSeries} */
      rule_tag: Type.Optional(Type.String()),
      check_id: nullable(Type.String()),
      check_name: nullable(Type.String()),
      check_type: nullable(CheckTypeName),
      severity: SeverityName,
      condition: nullable(ConditionName),
      condition_parameters: ConditionParameters,
      /** the channels that are notified when the alert fires and when it is resolved */
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
      /** the person, or the API key that was used; null if the alert was resolved automatically */
      resolved_by_id: nullable(Type.String()),
      resolution: Resolution,
      because: ResolvedBecause,
      /** whole seconds from the start of the alert */
      duration: Type.Integer({ minimum: 0 }),
    }),
  },
  /** After a person had resolved the alert, its condition was no longer met. From now on, the rule can fire again. */
  AlertConditionEnded: {
    version: 1,
    data: Type.Object({ alert_id: Type.String(), ended_at: InstantSchema }),
  },
  /** Neither the rule nor the check is muted any more. The message that was withheld is sent if it still applies. */
  AlertMuteEnded: {
    version: 1,
    data: Type.Object({ alert_id: Type.String(), ended_at: InstantSchema }),
  },
} as const satisfies EventDefinitions;

export type AlertEvent = EventsOf<typeof alertEvents>;

export type AlertFired = Extract<AlertEvent, { type: 'AlertFired' }>['data'];
