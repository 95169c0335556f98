import type { RecordedEvent } from '../../domain/event.ts';
import type { UpdateFields } from '../../domain/incident/fields.ts';
import { auditCreation } from './changes.ts';
import type { AuditSubject } from './conventions.ts';
import { auditSubjectOf, contentOf } from './subjects.ts';

/**
 * Describes the creation of an update by the event that opened the incident. The action is the one of the incident, but
 * the changes are those of the update. Returns null if the event did not create this update.
 */
export const firstUpdateOf = (event: RecordedEvent, updateId: string): AuditSubject | null => {
  const { type, data } = event as unknown as {
    type: string;
    data: { update?: UpdateFields; updates?: UpdateFields[] };
  };
  const opens = type === 'IncidentOpened' || type === 'MaintenanceScheduled' || type === 'PastIncidentLogged';
  const { update, updates = update ? [update] : [] } = data;
  const created = opens ? updates.find(({ id }) => id === updateId) : undefined;
  const subject = auditSubjectOf(event);
  if (!created || !subject) return null;
  const content =
    type === 'PastIncidentLogged' ? { ...contentOf(created), created_at: created.created_at } : contentOf(created);
  return { ...subject, changes: auditCreation(content) };
};
