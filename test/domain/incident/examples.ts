import type { EventOf } from '../../../domain/event-types.ts';
import type { IncidentFields, ScheduleFields, UpdateFields } from '../../../domain/incident/fields.ts';
import type { PageEvent } from '../../../domain/page/events.ts';
import type { ComponentStatus } from '../../../domain/page/component-status.ts';
import type { ComponentFields } from '../../../domain/page/fields.ts';
import { pageDecider, type Page } from '../../../domain/page/state.ts';
import { componentFields, PAGE, pageCreated } from '../page/examples.ts';

/** Returns a time on 20 November 2026, such as `at('15:04')`. */
export const at = (clock: string): string => `2026-11-20T${clock}:00.000000`;

/** Returns the event that adds a component or group at midnight. */
export const added = (id: string, fields: Partial<ComponentFields> = {}): EventOf<'ComponentAdded'> => ({
  type: 'ComponentAdded',
  data: {
    page_id: PAGE,
    component_id: id,
    created_at: at('00:00'),
    component: componentFields({ name: id, ...fields }),
  },
});

/** Returns a page with the components `api`, `web` and `db` and the group `group`, after further events. */
export const page = (...more: PageEvent[]): Page =>
  [pageCreated(), added('api'), added('web'), added('db'), added('group', { group: true }), ...more].reduce<Page>(
    pageDecider.evolve,
    pageDecider.initialState,
  );

const ids = { incident_id: 'incident', page_id: PAGE };

export const update = (id: string, clock: string, more: Partial<UpdateFields> = {}): UpdateFields => ({
  id,
  body: `It is ${clock}.`,
  status: 'investigating',
  status_sent: true,
  components: {},
  deliver_notifications: true,
  created_at: at(clock),
  ...more,
});

/** Returns the event that opens an incident at 10:00, with the update `u1`, which sets `api` to a major outage. */
export const opened = (
  first: Partial<UpdateFields> = {},
  fields: Partial<IncidentFields> = {},
): EventOf<'IncidentOpened'> => {
  const own = update('u1', '10:00', { components: { api: 'major_outage' }, ...first });
  return {
    type: 'IncidentOpened',
    data: {
      ...ids,
      created_at: at('10:00'),
      incident: { name: 'No answer', impact: 'critical', metadata: null, ...fields },
      update: own,
    },
  };
};

export const schedule: ScheduleFields = {
  scheduled_for: at('20:00'),
  scheduled_until: at('22:00'),
  scheduled_remind_prior: false,
  reminder_intervals: null,
  scheduled_auto_in_progress: false,
  scheduled_auto_completed: false,
  auto_transition_to_maintenance_state: false,
  auto_transition_to_operational_state: false,
  auto_transition_deliver_notifications_at_start: false,
  auto_transition_deliver_notifications_at_end: false,
};

/**
 * Returns the event that schedules a maintenance of `api` and `web` at 10:00, with the update `u1`, for 20:00 to 22:00.
 */
export const scheduled = (more: Partial<ScheduleFields> = {}): EventOf<'MaintenanceScheduled'> => ({
  type: 'MaintenanceScheduled',
  data: {
    ...ids,
    created_at: at('10:00'),
    incident: { name: 'New disks', impact: 'maintenance', metadata: null },
    schedule: { ...schedule, ...more },
    update: update('u1', '10:00', {
      status: 'scheduled',
      components: { api: 'under_maintenance', web: 'under_maintenance' },
    }),
  },
});

export type Switched = NonNullable<EventOf<'IncidentStatusChanged'>['data']['switched']>;

export const appended = (own: UpdateFields, switched?: Switched): EventOf<'IncidentUpdateAppended'> => ({
  type: 'IncidentUpdateAppended',
  data: { ...ids, update: own, ...(switched && { switched }) },
});

/**
 * Returns the part of an event that describes which component status a maintenance sets automatically. `sent` has
 * precedence.
 */
export const switching = (status: ComponentStatus, sent: UpdateFields['components'] = {}): Switched => ({
  status,
  sent,
});

/** The manual status changes of a maintenance that notify subscribers. */
const STARTS_AND_ENDS: readonly string[] = [
  'scheduled → in_progress',
  'scheduled → verifying',
  'completed → in_progress',
  'completed → verifying',
  'scheduled → completed',
  'in_progress → completed',
  'verifying → completed',
];

/** Returns a manual status change without an update. */
export const moved = (
  clock: string,
  from: EventOf<'IncidentStatusChanged'>['data']['changes']['status'],
  to: EventOf<'IncidentStatusChanged'>['data']['changes']['status'],
  components: UpdateFields['components'] = {},
  switched?: Switched,
): EventOf<'IncidentStatusChanged'> => ({
  type: 'IncidentStatusChanged',
  data: {
    ...ids,
    changed_at: at(clock),
    changes: { status: to },
    previous: { status: from },
    components,
    ...(switched && { switched }),
    automatic: false,
    deliver_notifications: STARTS_AND_ENDS.includes(`${from} → ${to}`),
  },
});

/** Returns an automatic status change. */
export const byClock = (
  clock: string,
  from: EventOf<'IncidentStatusChanged'>['data']['changes']['status'],
  to: EventOf<'IncidentStatusChanged'>['data']['changes']['status'],
  more: Partial<EventOf<'IncidentStatusChanged'>['data']> = {},
): EventOf<'IncidentStatusChanged'> => ({
  type: 'IncidentStatusChanged',
  data: {
    ...ids,
    changed_at: at(clock),
    changes: { status: to },
    previous: { status: from },
    components: {},
    automatic: true,
    deliver_notifications: false,
    ...more,
  },
});

/** Returns the event that skips the reminders of the start at 20:00, up to the reminder with the given offset. */
export const missed = (clock: string, offset: string): EventOf<'MaintenanceReminderMissed'> => ({
  type: 'MaintenanceReminderMissed',
  data: { ...ids, offset, scheduled_for: schedule.scheduled_for, missed_at: at(clock) },
});

/** Returns a sent reminder of the start at 20:00. */
export const reminded = (clock: string, offset: string): EventOf<'MaintenanceReminded'> => ({
  type: 'MaintenanceReminded',
  data: { ...ids, offset, scheduled_for: schedule.scheduled_for, reminded_at: at(clock) },
});

export const changed = (
  clock: string,
  changes: EventOf<'IncidentChanged'>['data']['changes'],
  previous: EventOf<'IncidentChanged'>['data']['previous'],
): EventOf<'IncidentChanged'> => ({
  type: 'IncidentChanged',
  data: { ...ids, changed_at: at(clock), changes, previous },
});

export const edited = (
  id: string,
  clock: string,
  changes: EventOf<'IncidentUpdateEdited'>['data']['changes'],
  previous: EventOf<'IncidentUpdateEdited'>['data']['previous'],
): EventOf<'IncidentUpdateEdited'> => ({
  type: 'IncidentUpdateEdited',
  data: { ...ids, incident_update_id: id, edited_at: at(clock), changes, previous },
});

export const removed = (own: UpdateFields, clock: string): EventOf<'IncidentUpdateRemoved'> => ({
  type: 'IncidentUpdateRemoved',
  data: { ...ids, incident_update_id: own.id, removed_at: at(clock), update: own },
});

export const withheld = (id: string, clock: string): EventOf<'IncidentUpdateTextWithheld'> => ({
  type: 'IncidentUpdateTextWithheld',
  data: { ...ids, incident_update_id: id, withheld_at: at(clock) },
});

export const deleted = (clock: string): EventOf<'IncidentDeleted'> => ({
  type: 'IncidentDeleted',
  data: { ...ids, deleted_at: at(clock) },
});

/** Returns a past incident from 08:00 to 09:00, created at 12:00. */
export const logged = (...updates: UpdateFields[]): EventOf<'PastIncidentLogged'> => ({
  type: 'PastIncidentLogged',
  data: {
    ...ids,
    logged_at: at('12:00'),
    incident: { name: 'Slow this morning', impact: 'minor', metadata: null },
    updates,
  },
});

/** Returns a manual change of a component's status. */
export const setManually = (
  id: string,
  clock: string,
  status: ComponentStatus,
  before: ComponentStatus,
): EventOf<'ComponentUpdated'> => ({
  type: 'ComponentUpdated',
  data: { page_id: PAGE, component_id: id, changed_at: at(clock), changes: { status }, previous: { status: before } },
});

/** Returns a copy of an event with the id of another incident. */
export const of = <E extends { data: { incident_id: string } }>(incidentId: string, event: E): E => ({
  ...event,
  data: { ...event.data, incident_id: incidentId },
});

type Draft = EventOf<'PostmortemDrafted'>['data']['draft'];

/** The sealed preview key of the postmortem `p1`. */
export const PREVIEW = { key: 'organization-1', sealed: 'preview' };

export const drafted = (
  clock: string,
  draft: Draft,
  previous: Draft | null,
  preview_key: EventOf<'PostmortemDrafted'>['data']['preview_key'] = PREVIEW,
): EventOf<'PostmortemDrafted'> => ({
  type: 'PostmortemDrafted',
  data: { ...ids, postmortem_id: 'p1', drafted_at: at(clock), draft, previous, preview_key },
});

export const published = (clock: string, body: string, notify_subscribers = true): EventOf<'PostmortemPublished'> => ({
  type: 'PostmortemPublished',
  data: { ...ids, postmortem_id: 'p1', body, notify_subscribers, published_at: at(clock) },
});

export const unpublished = (clock: string, preview_key = PREVIEW): EventOf<'PostmortemUnpublished'> => ({
  type: 'PostmortemUnpublished',
  data: { ...ids, postmortem_id: 'p1', unpublished_at: at(clock), preview_key },
});
