import { Type } from '@sinclair/typebox';
import { SEVERITIES } from '../../../domain/alert-rule/fields.ts';
import { CHANNEL_TYPE_NAMES } from '../../../notifiers/channels/index.ts';
import { ALERT_FILTERS } from '../../../queries/alerts/alerts.ts';
import { NOTIFICATION_STATUSES } from '../../../queries/notifications.ts';
import { choice, commaList, Id, InstantOut, namedSchema, nullable, text } from '../../schema.ts';

/** Filters of alerts, for their list and for bulk changes. */
export const alertFilters = {
  status: Type.Optional(commaList(choice(ALERT_FILTERS), { description: '`active` means firing or acknowledged.' })),
  check_id: Type.Optional(Id),
  rule_id: Type.Optional(Id),
  severity: Type.Optional(commaList(choice(SEVERITIES))),
  q: Type.Optional(
    text(100, { description: 'Part of the title, or of the name of the check or rule. Case is ignored.' }),
  ),
};

const count = Type.Integer({ minimum: 0 });
const milliseconds = nullable(Type.Integer({ minimum: 0, description: 'In milliseconds.' }));
const sentence = nullable(Type.String());

const RegionalSummary = namedSchema(
  'AlertRegion',
  Type.Object({
    region: Type.String(),
    holds: Type.Boolean({ description: 'Whether the condition held in this region.' }),
    status: Type.String(),
    response_time: milliseconds,
    error_message: sentence,
  }),
);

export const TriggerResult = namedSchema(
  'AlertTriggerResult',
  Type.Object({
    result_id: Id,
    region: Type.String(),
    status: Type.String(),
    reason: nullable(Type.String()),
    response_time: milliseconds,
    error_message: sentence,
    at: InstantOut,
  }),
);

const by = nullable(Type.String({ description: 'The id of the user, or of the API key that was used.' }));

/** See docs/reference/alerts.md#alert-fields. */
export const Alert = namedSchema(
  'Alert',
  Type.Object({
    id: Id,
    title: Type.String({ examples: ['API is down'] }),
    description: Type.String(),
    status: choice(['firing', 'acknowledged', 'resolved']),
    severity: choice(SEVERITIES),
    is_active: Type.Boolean({ description: 'Whether the alert is firing or acknowledged.' }),
    rule_id: nullable({ ...Id, description: 'Null if the service raised the alert about itself.' }),
    rule_name: Type.String({ description: 'The name at the time when the alert fired.' }),
    check_id: nullable(Id),
    check_name: nullable(Type.String({ description: 'The name at the time when the alert fired.' })),
    fired_at: InstantOut,
    acknowledged_at: nullable(InstantOut),
    acknowledged_by_id: by,
    resolved_at: nullable(InstantOut),
    resolved_by_id: by,
    resolution: nullable(choice(['auto', 'manual'])),
    duration: Type.Integer({ minimum: 0, description: 'In seconds. For an active alert until now.' }),
    last_notification_at: nullable(InstantOut),
    notification_count: Type.Integer({ minimum: 0, description: 'Number of notifications with the status `sent`.' }),
    regional_summary: Type.Array(RegionalSummary),
    trigger_results: Type.Array(TriggerResult),
    alert_metadata: Type.Record(Type.String(), Type.Unknown()),
    history: Type.Array(
      Type.Object({ event: choice(['fired', 'acknowledged', 'resolved']), at: InstantOut, user_id: by }),
    ),
  }),
);

/** See docs/reference/notifications.md#notification-fields. */
export const AlertNotification = namedSchema(
  'AlertNotification',
  Type.Object({
    id: Id,
    alert_id: Id,
    channel_id: Id,
    channel_name: nullable(Type.String({ description: 'Null if the channel was deleted.' })),
    channel_type: choice(CHANNEL_TYPE_NAMES),
    notification_type: choice(['alert_fired', 'alert_resolved']),
    status: choice(NOTIFICATION_STATUSES),
    retry_count: count,
    error_message: nullable(
      Type.String({ description: 'Why the last attempt failed, or why there are no further attempts.' }),
    ),
    created_at: InstantOut,
    sent_at: nullable(InstantOut),
  }),
);

/** See docs/reference/alerts.md#figures. */
export const AlertStats = namedSchema(
  'AlertStats',
  Type.Object({
    active_alerts: count,
    recent_alerts: Type.Integer({ minimum: 0, description: 'Alerts that fired in the last 24 hours.' }),
    total_rules: count,
    total_channels: count,
    severity_breakdown: Type.Object(
      { low: count, medium: count, high: count, critical: count },
      { description: 'Active alerts by severity.' },
    ),
  }),
);
