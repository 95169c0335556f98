import type { Instant } from '../time.ts';
import type { IncidentEvent } from './events.ts';
import { unreachable } from '../decider.ts';

/** Returns the ids of the components that an event itself contains. */
export const componentsNamedIn = (event: IncidentEvent): readonly string[] => {
  switch (event.type) {
    case 'IncidentOpened':
    case 'MaintenanceScheduled':
    case 'IncidentUpdateAppended':
      return Object.keys(event.data.update.components);
    case 'PastIncidentLogged':
      return event.data.updates.flatMap(({ components }) => Object.keys(components));
    case 'IncidentStatusChanged':
      return Object.keys(event.data.components);
    case 'IncidentUpdateEdited':
      return Object.keys(event.data.changes.components ?? {});
    case 'IncidentChanged':
    case 'IncidentUpdateRemoved':
    case 'IncidentUpdateTextWithheld':
    case 'MaintenanceReminded':
    case 'MaintenanceReminderMissed':
    case 'PostmortemDrafted':
    case 'PostmortemPublished':
    case 'PostmortemUnpublished':
    case 'IncidentDeleted':
      return [];
    default:
      return unreachable(event);
  }
};

/** Returns the time of an event, which is the `updated_at` of the incident after the event. */
export const timeOf = (event: IncidentEvent): Instant => {
  switch (event.type) {
    case 'IncidentOpened':
    case 'MaintenanceScheduled':
      return event.data.created_at;
    case 'PastIncidentLogged':
      return event.data.logged_at;
    case 'IncidentChanged':
    case 'IncidentStatusChanged':
      return event.data.changed_at;
    case 'IncidentUpdateAppended':
      return event.data.update.created_at;
    case 'IncidentUpdateEdited':
      return event.data.edited_at;
    case 'IncidentUpdateRemoved':
      return event.data.removed_at;
    case 'IncidentUpdateTextWithheld':
      return event.data.withheld_at;
    case 'MaintenanceReminded':
      return event.data.reminded_at;
    case 'MaintenanceReminderMissed':
      return event.data.missed_at;
    case 'PostmortemDrafted':
      return event.data.drafted_at;
    case 'PostmortemPublished':
      return event.data.published_at;
    case 'PostmortemUnpublished':
      return event.data.unpublished_at;
    case 'IncidentDeleted':
      return event.data.deleted_at;
    default:
      return unreachable(event);
  }
};
