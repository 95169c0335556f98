import type { EventOf } from '../event-types.ts';
import { isExisting } from '../existence.ts';
import type { ActivePage, Page } from '../page/state.ts';
import { laterOf, type Instant } from '../time.ts';
import type { IncidentEvent } from './events.ts';
import { progressOf, timeAfter } from './facts.ts';
import { transitionsOf } from './schedule.ts';
import { incidentDecider, type Incident, type Maintenance } from './state.ts';

/**
 * Returns events for all automatic actions of a maintenance that are due: reminders and status transitions, in the
 * order of their due times (docs/reference/maintenance.md#automatic-transitions). If several actions were missed, each
 * transition gets the time at which it was due, and only one reminder is sent. Returns no event if the maintenance or
 * its page is deleted.
 *
 * @param setAt the latest time at which a status of one of the maintenance's components was set, if that time is in the
 * future because of a process whose clock is ahead; otherwise null. A transition that sets component statuses
 * then gets this time, because a component shows the status with the latest time.
 */
export const dueAutomaticActions = (
  incident: Incident,
  page: Page,
  now: Instant,
  setAt: Instant | null = null,
): IncidentEvent[] => {
  const events: IncidentEvent[] = [];
  for (let state = incident; isExisting(page);) {
    const event = nextByClock(state, page, now, setAt);
    if (!event) break;
    events.push(event);
    state = incidentDecider.evolve(state, event);
  }
  return events;
};

const nextByClock = (state: Incident, page: ActivePage, now: Instant, setAt: Instant | null): IncidentEvent | null => {
  if (!isExisting(state) || state.kind !== 'maintenance') return null;
  return reminderOf(state, now) ?? moveOf(state, page, now, setAt);
};

/**
 * Returns an event for the newest due reminder. If the scheduled start is already past, the event records that the
 * reminder was missed.
 */
const reminderOf = (
  { id: incident_id, page_id, agenda }: Maintenance,
  now: Instant,
): EventOf<'MaintenanceReminded' | 'MaintenanceReminderMissed'> | null => {
  const reminder = agenda.reminders.findLast(({ due_at }) => due_at <= now);
  if (!reminder) return null;
  const { offset, scheduled_for } = reminder;
  const reminded = { incident_id, page_id, offset, scheduled_for };
  return scheduled_for > now
    ? { type: 'MaintenanceReminded', data: { ...reminded, reminded_at: now } }
    : { type: 'MaintenanceReminderMissed', data: { ...reminded, missed_at: now } };
};

const moveOf = (
  incident: Maintenance,
  page: ActivePage,
  now: Instant,
  setAt: Instant | null,
): EventOf<'IncidentStatusChanged'> | null => {
  const { id: incident_id, page_id, agenda, facts, schedule } = incident;
  const { move } = agenda;
  if (!move?.due_at || move.due_at > now) return null;
  const { to } = move;
  const from = progressOf(facts).status;
  const at = timeAfter(facts, move.due_at);
  const set = transitionsOf(incident, schedule, page, { from, to, sent: {} });
  return {
    type: 'IncidentStatusChanged',
    data: {
      incident_id,
      page_id,
      changed_at: set.switched && setAt ? laterOf(at, setAt) : at,
      changes: { status: to },
      previous: { status: from },
      ...set,
      automatic: true,
      deliver_notifications:
        to === 'in_progress'
          ? schedule.auto_transition_deliver_notifications_at_start
          : schedule.auto_transition_deliver_notifications_at_end,
    },
  };
};
