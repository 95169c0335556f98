import { Type, type Static } from '@sinclair/typebox';
import {
  MAX_BODY,
  MAX_INCIDENT_BYTES,
  MAX_INCIDENT_NAME,
  MAX_METADATA_BYTES,
  MAX_NOTIFICATION_DELAY,
  MAX_REMINDER_INTERVALS,
  MAX_UPDATES,
} from '../../../domain/incident/rules.ts';
import { isReminderIntervals, MAX_REMINDER_DAYS, MAX_REMINDERS } from '../../../domain/incident/reminders.ts';
import { SCHEDULE_DEFAULTS } from '../../../domain/incident/schedule.ts';
import { ALL_STATUSES, INCIDENT_IMPACTS, INCIDENT_STATUSES } from '../../../domain/incident/statuses.ts';
import { COMPONENT_STATUSES, type ComponentStatus } from '../../../domain/page/component-status.ts';
import {
  withCheck,
  choice,
  withDefaults,
  Id,
  InstantOut,
  instantIn,
  namedSchema,
  nullable,
  partial,
  text,
} from '../../schema.ts';
import { Component } from '../components/schema.ts';

/** The new status of each component, by component id. */
export const ComponentMap = Type.Unsafe<Record<string, ComponentStatus>>({
  type: 'object',
  additionalProperties: choice(COMPONENT_STATUSES),
  examples: [{}],
  description: 'Maps component ids to statuses.',
});

/**
 * The new status of each component, in a change. Clients can also send back the array that they got in a response. This
 * array is ignored (docs/reference/requests.md#changes).
 */
const ComponentMapOrArray = Type.Unsafe<Record<string, ComponentStatus> | unknown[]>({
  type: ['object', 'array'],
  additionalProperties: choice(COMPONENT_STATUSES),
  description: 'Maps component ids to statuses. An array of components, as in responses, is ignored.',
});

/** Returns `components` if it is a map, or undefined for an array, which a client has sent back unchanged. */
export const changedComponents = (
  components: Record<string, ComponentStatus> | unknown[] | undefined,
): Record<string, ComponentStatus> | undefined => (Array.isArray(components) ? undefined : components);

export const name = text(MAX_INCIDENT_NAME, { min: 1 });
export const body = text(MAX_BODY, {
  min: 1,
  description: `All updates of an incident together must not exceed ${MAX_INCIDENT_BYTES / 1_048_576} MiB as JSON.`,
});
export const status = choice(ALL_STATUSES, {
  description: 'One of the four statuses of an incident, or of a maintenance.',
});
export const impact = choice(INCIDENT_IMPACTS);
const metadata = nullable(
  withCheck(
    Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, examples: [{ ticket: 'A-1' }] }),
    (value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES,
    `Must have at most ${MAX_METADATA_BYTES} bytes as JSON.`,
  ),
);
const reminderIntervals = nullable(
  withCheck(
    Type.String({ maxLength: MAX_REMINDER_INTERVALS, examples: ['1d, 2h, 30m'] }),
    isReminderIntervals,
    `Must be a list of at most ${MAX_REMINDERS} offsets such as 1d, 2h, 30m, each from 1m to ${MAX_REMINDER_DAYS}d.`,
  ),
);

const switches = {
  scheduled_remind_prior: Type.Boolean(),
  scheduled_auto_in_progress: Type.Boolean(),
  scheduled_auto_completed: Type.Boolean(),
  auto_transition_to_maintenance_state: Type.Boolean(),
  auto_transition_to_operational_state: Type.Boolean(),
  auto_transition_deliver_notifications_at_start: Type.Boolean(),
  auto_transition_deliver_notifications_at_end: Type.Boolean(),
};
const schedule = {
  scheduled_for: nullable(instantIn({ description: 'Makes the incident a maintenance.' })),
  scheduled_until: nullable(instantIn()),
  reminder_intervals: reminderIntervals,
  ...switches,
};
export const deliverNotifications = Type.Boolean({ description: 'Whether subscribers are notified.' });

const notificationDelay = Type.Integer({
  minimum: 0,
  maximum: MAX_NOTIFICATION_DELAY,
  description:
    'Delay before messages are sent, in seconds. Deleting the update or the incident during the delay prevents them.',
});

const backdatedTo = Type.Optional(
  instantIn({
    description:
      'The time at which it was published elsewhere; default: now. Requires that `deliver_notifications` is false.',
  }),
);

/** Body of POST (docs/reference/incidents.md#creation). */
export const NewIncident = Type.Object({
  name,
  body,
  status,
  components: ComponentMap,
  backdated_to: backdatedTo,
  ...withDefaults(
    {
      impact,
      metadata,
      deliver_notifications: deliverNotifications,
      notification_delay: notificationDelay,
      ...schedule,
    },
    { metadata: null, deliver_notifications: true, notification_delay: 0, ...SCHEDULE_DEFAULTS },
  ),
});

/** Body of PUT and PATCH (docs/reference/incidents.md#changes). */
export const IncidentChange = Type.Object({
  // Read-only, so any value is valid. If a client sends the current `resolved_at`, it probably sends back the incident as
  // it was read. Then the `status` in the request is not a new status either.
  resolved_at: Type.Optional(
    Type.Unknown({
      description: 'Read-only. Sending the current value with status `resolved` or `completed` leaves it unchanged.',
    }),
  ),
  ...partial(
    Type.Object({
      name,
      impact,
      metadata,
      status,
      body,
      components: ComponentMapOrArray,
      ...schedule,
    }),
  ).properties,
  ...withDefaults(
    { deliver_notifications: deliverNotifications, notification_delay: notificationDelay },
    { deliver_notifications: true, notification_delay: 0 },
  ),
});

/** Body of POST …/incident_updates. */
export const NewUpdate = Type.Object({
  status,
  body: Type.Optional(body),
  components: Type.Optional(ComponentMap),
  backdated_to: backdatedTo,
  ...withDefaults(
    { deliver_notifications: deliverNotifications, notification_delay: notificationDelay },
    { deliver_notifications: true, notification_delay: 0 },
  ),
});

/**
 * Body of PUT and PATCH of an update. An empty `body` is valid, so that clients can send back an update without text.
 */
export const UpdateChange = partial(
  Type.Object({ body: text(MAX_BODY), created_at: instantIn(), components: ComponentMap }),
);

const PastUpdate = Type.Object({
  body,
  status: choice(INCIDENT_STATUSES),
  created_at: instantIn(),
  components: Type.Optional(ComponentMap),
});

/** Body of POST …/log-past-incident. */
export const NewPastIncident = Type.Object({
  name,
  impact,
  incident_updates: Type.Array(PastUpdate, {
    minItems: 1,
    maxItems: MAX_UPDATES,
    description: 'Oldest first. The last one must be `resolved`.',
    examples: [[{ body: 'All is well again.', status: 'resolved', created_at: '2026-01-01T10:00:00Z' }]],
  }),
  ...withDefaults(
    { metadata, deliver_notifications: deliverNotifications },
    { metadata: null, deliver_notifications: false },
  ),
});

/** See docs/reference/incidents.md#fields-of-an-update. */
export const IncidentUpdate = namedSchema(
  'IncidentUpdate',
  Type.Object({
    id: Id,
    incident_id: Id,
    body: Type.String(),
    status,
    components: ComponentMap,
    deliver_notifications: Type.Boolean(),
    display_at: nullable(InstantOut),
    created_at: InstantOut,
    updated_at: InstantOut,
    withheld_at: nullable({
      ...InstantOut,
      description: 'Since when visitors cannot see the text and its earlier versions. Null if they can.',
    }),
  }),
);
export type IncidentUpdate = Static<typeof IncidentUpdate>;

const incidentFields = {
  id: Id,
  page_id: Id,
  name,
  status,
  impact,
  components: Type.Array(Component),
  incident_updates: Type.Array(IncidentUpdate, { description: 'Newest first.' }),
  metadata,
  monitoring_at: nullable(InstantOut),
  resolved_at: nullable(InstantOut),
  postmortem_body: nullable(Type.String()),
  postmortem_body_last_updated_at: nullable(InstantOut),
  postmortem_published_at: nullable(InstantOut),
  scheduled_for: nullable(InstantOut),
  scheduled_until: nullable(InstantOut),
  scheduled_remind_prior: switches.scheduled_remind_prior,
  reminder_intervals: nullable(Type.String({ examples: ['1d, 2h, 30m'] })),
  scheduled_reminded_at: nullable(InstantOut),
  scheduled_auto_in_progress: switches.scheduled_auto_in_progress,
  scheduled_auto_completed: switches.scheduled_auto_completed,
  auto_transition_to_maintenance_state: switches.auto_transition_to_maintenance_state,
  auto_transition_to_operational_state: switches.auto_transition_to_operational_state,
  auto_transition_deliver_notifications_at_start: switches.auto_transition_deliver_notifications_at_start,
  auto_transition_deliver_notifications_at_end: switches.auto_transition_deliver_notifications_at_end,
  created_at: InstantOut,
  updated_at: InstantOut,
};

/** See docs/reference/incidents.md#fields. */
export const Incident = namedSchema('Incident', Type.Object(incidentFields));
export type Incident = Static<typeof Incident>;
