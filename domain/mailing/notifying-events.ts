import type { RecordedEventOf } from '../event-types.ts';
import { unreachable } from '../decider.ts';
import { evolveFacts, inEffect, progressOf, type IncidentFact } from '../incident/facts.ts';
import type { ComponentMap, UpdateFields } from '../incident/fields.ts';
import { boundaryStatusOf, type IncidentStatus } from '../incident/statuses.ts';
import type { ComponentStatus } from '../page/component-status.ts';
import type { Instant } from '../time.ts';
import type { NoticeEvent } from './notice-event.ts';

/**
 * A notification to subscribers of a status page. It does not contain the text, which is looked up when messages are
 * sent.
 */
export interface IncidentNotification {
  event: NoticeEvent;
  page_id: string;
  /** when the event happened */
  at: Instant;
  /** null for `component.status_changed` */
  incident: NotifiedIncident | null;
  /** null except for `component.status_changed` */
  component: NotifiedComponent | null;
}

export interface NotifiedIncident {
  id: string;
  /** id of the incident update that contains the text; null if the event has a fixed text */
  update_id: string | null;
  status: IncidentStatus;
  /** all components that the incident has named so far, each with the newest status that the incident gave it */
  components: ComponentMap;
  /** for a reminder: the start of the maintenance; otherwise null */
  scheduled_for: Instant | null;
}

export interface NotifiedComponent {
  id: string;
  old_status: ComponentStatus;
  new_status: ComponentStatus;
}

/** Events that can cause a notification to subscribers. */
export type NotifyingEvent = RecordedEventOf<
  | 'IncidentOpened'
  | 'MaintenanceScheduled'
  | 'PastIncidentLogged'
  | 'IncidentStatusChanged'
  | 'IncidentUpdateAppended'
  | 'MaintenanceReminded'
  | 'PostmortemPublished'
  | 'ComponentUpdated'
>;

type IncidentTelling = Exclude<NotifyingEvent, { type: 'ComponentUpdated' }>;

/**
 * Returns the notification about an event; null if subscribers are not notified
 * (docs/reference/subscribers.md#causes-of-messages).
 *
 * @param before the facts of the event's incident before the event; empty if the event belongs to no incident
 */
export const notificationOf = (event: NotifyingEvent, before: readonly IncidentFact[]): IncidentNotification | null =>
  event.type === 'ComponentUpdated' ? componentNotification(event) : incidentNotification(event, before);
/** Returns the notification about a manual change of a component's status. */
const componentNotification = ({ data }: RecordedEventOf<'ComponentUpdated'>): IncidentNotification | null => {
  const { page_id, component_id: id, changed_at: at, changes, previous } = data;
  if (changes.status === undefined || previous.status === undefined || changes.status === previous.status) return null;
  const component = { id, old_status: previous.status, new_status: changes.status };
  return { event: 'component.status_changed', page_id, at, incident: null, component };
};

const incidentNotification = (event: IncidentTelling, before: readonly IncidentFact[]): IncidentNotification | null => {
  const { incident_id: id, page_id } = event.data;
  const notice = noticeOf(event, before);
  if (!notice) return null;
  const { at, status, update_id = null, scheduled_for = null } = notice;
  const components = namedSoFar(evolveFacts(before, event, identical));
  const incident = { id, update_id, status, components, scheduled_for };
  return { event: notice.event, page_id, at, incident, component: null };
};

interface IncidentNotice {
  event: NoticeEvent;
  at: Instant;
  status: IncidentStatus;
  update_id?: string;
  scheduled_for?: Instant;
}

const noticeOf = (event: IncidentTelling, before: readonly IncidentFact[]): IncidentNotice | null => {
  switch (event.type) {
    case 'IncidentOpened':
    case 'MaintenanceScheduled':
      return noticeOfUpdate(event.data.update, 'incident.created');
    case 'PastIncidentLogged': {
      // The incident is over, and its final update describes how the incident ended.
      const last = event.data.updates.at(-1);
      return last ? noticeOfUpdate(last, 'incident.created') : null;
    }
    case 'IncidentUpdateAppended': {
      const { update } = event.data;
      return noticeOfUpdate(update, eventOfTransition(progressOf(before).status, update.status));
    }
    case 'IncidentStatusChanged': {
      const { changed_at: at, changes, previous, deliver_notifications } = event.data;
      const { status } = changes;
      return deliver_notifications ? { event: eventOfTransition(previous.status, status), at, status } : null;
    }
    case 'MaintenanceReminded': {
      const { reminded_at: at, scheduled_for } = event.data;
      return { event: 'maintenance.reminder', at, status: progressOf(before).status, scheduled_for };
    }
    case 'PostmortemPublished': {
      const { published_at: at, notify_subscribers } = event.data;
      return notify_subscribers ? { event: 'postmortem.published', at, status: progressOf(before).status } : null;
    }
    default:
      return unreachable(event);
  }
};

const noticeOfUpdate = (update: UpdateFields, event: NoticeEvent): IncidentNotice | null => {
  const { id: update_id, created_at: at, status, deliver_notifications } = update;
  return deliver_notifications ? { event, at, status, update_id } : null;
};

/** Returns the kind of notification for a status transition. */
const eventOfTransition = (from: IncidentStatus, to: IncidentStatus): NoticeEvent => {
  if (to === 'resolved' && from !== 'resolved') return 'incident.resolved';
  switch (boundaryStatusOf(from, to)) {
    case 'start':
      return 'maintenance.started';
    case 'end':
      return 'maintenance.completed';
    case null:
      return 'incident.updated';
  }
};

const identical = (fact: IncidentFact): IncidentFact => fact;

const namedSoFar = (facts: readonly IncidentFact[]): ComponentMap =>
  Object.assign({}, ...inEffect(facts).map(({ components }) => components)) as ComponentMap;
