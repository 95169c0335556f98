import { unreachable, type Decider } from '../decider.ts';
import type { IncidentEvent } from './events.ts';
import { evolveFacts, type Fact } from './facts.ts';
import type { IncidentFields, ScheduleFields, UpdateFields } from './fields.ts';

interface Existing {
  id: string;
  page_id: string;
  fields: IncidentFields;
  /** in the order of the log */
  facts: readonly Fact[];
  /** what an update says besides its fact, by its id */
  texts: ReadonlyMap<string, UpdateText>;
}

export type UpdateText = Pick<UpdateFields, 'body' | 'deliver_notifications'>;

export interface RegularIncident extends Existing {
  kind: 'regular';
}

/** An incident with a schedule (decisions.md: Incidents, Maintenance). */
export interface Maintenance extends Existing {
  kind: 'maintenance';
  schedule: ScheduleFields;
}

export type ExistingIncident = RegularIncident | Maintenance;

export type Incident = { kind: 'absent' } | ExistingIncident | { kind: 'deleted' };

const identical = (fact: Fact): Fact => fact;

const textOf = ({ body, deliver_notifications }: UpdateFields): UpdateText => ({ body, deliver_notifications });

const begun = (
  event: Extract<IncidentEvent, { type: 'IncidentOpened' | 'MaintenanceScheduled' | 'PastIncidentLogged' }>,
): Existing => ({
  id: event.data.incident_id,
  page_id: event.data.page_id,
  fields: event.data.incident,
  facts: evolveFacts([], event, identical),
  texts: new Map(
    (event.type === 'PastIncidentLogged' ? event.data.updates : [event.data.update]).map((update) => [
      update.id,
      textOf(update),
    ]),
  ),
});

const onExisting = (
  incident: Incident,
  event: IncidentEvent,
  change: (incident: ExistingIncident) => ExistingIncident = (same) => same,
): ExistingIncident => {
  if (incident.kind === 'absent' || incident.kind === 'deleted') {
    throw new Error(`An incident that is ${incident.kind} has no such event.`);
  }
  return change({ ...incident, facts: evolveFacts(incident.facts, event, identical) });
};

const withText = (incident: ExistingIncident, id: string, text: UpdateText | null): ExistingIncident => {
  const texts = new Map(incident.texts);
  if (text) texts.set(id, text);
  else texts.delete(id);
  return { ...incident, texts };
};

const SCHEDULE_FIELDS = /^(?:scheduled_|auto_|reminder_)/;

/** Puts changed fields where they belong: among those of every incident, or into the schedule. */
const withChanges = (incident: ExistingIncident, changes: Partial<IncidentFields & ScheduleFields>) => {
  const entries = Object.entries(changes);
  const own = Object.fromEntries(entries.filter(([field]) => !SCHEDULE_FIELDS.test(field)));
  const changed = { ...incident, fields: { ...incident.fields, ...own } };
  if (changed.kind === 'regular') return changed;
  const planned = Object.fromEntries(entries.filter(([field]) => SCHEDULE_FIELDS.test(field)));
  return { ...changed, schedule: { ...changed.schedule, ...planned } };
};

const evolve = (incident: Incident, event: IncidentEvent): Incident => {
  switch (event.type) {
    case 'IncidentOpened':
    case 'PastIncidentLogged':
      return { kind: 'regular', ...begun(event) };
    case 'MaintenanceScheduled':
      return { kind: 'maintenance', schedule: event.data.schedule, ...begun(event) };
    case 'IncidentChanged':
      return onExisting(incident, event, (existing) => withChanges(existing, event.data.changes));
    case 'IncidentStatusChanged':
      return onExisting(incident, event);
    case 'IncidentUpdateAppended':
      return onExisting(incident, event, (existing) =>
        withText(existing, event.data.update.id, textOf(event.data.update)),
      );
    case 'IncidentUpdateEdited': {
      const { incident_update_id: id, changes } = event.data;
      return onExisting(incident, event, (existing) => {
        const text = existing.texts.get(id);
        return text && changes.body !== undefined ? withText(existing, id, { ...text, body: changes.body }) : existing;
      });
    }
    case 'IncidentUpdateRemoved':
      return onExisting(incident, event, (existing) => withText(existing, event.data.incident_update_id, null));
    case 'IncidentDeleted':
      return { kind: 'deleted' };
    default:
      return unreachable(event);
  }
};

/** An incident or a maintenance with its updates. */
export const incidentDecider: Decider<Incident, IncidentEvent> = {
  category: 'incident',
  initialState: { kind: 'absent' },
  evolve,
};
