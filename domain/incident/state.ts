import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import { agendaAfter, NO_AGENDA, type Agenda } from './agenda.ts';
import type { IncidentEvent } from './events.ts';
import { evolveFacts, type IncidentFact } from './facts.ts';
import type { IncidentFields, ScheduleFields, UpdateFields } from './fields.ts';
import { evolvePostmortem, type Postmortem } from './postmortem-state.ts';

interface Active {
  status: 'active';
  id: string;
  page_id: string;
  fields: IncidentFields;
  /** facts in the order of the log */
  facts: readonly IncidentFact[];
  /** by update id: the text of an update, and whether subscribers are notified; `facts` contain all other content */
  texts: ReadonlyMap<string, UpdateText>;
  /** ids of removed updates */
  removed: ReadonlySet<string>;
  /** ids of updates whose current text is hidden from visitors; might contain removed updates */
  withheld: ReadonlySet<string>;
  postmortem: Postmortem | null;
}

export type UpdateText = Pick<UpdateFields, 'body' | 'deliver_notifications'>;

export interface RegularIncident extends Active {
  kind: 'regular';
}

/** An incident with a schedule (docs/reference/maintenance.md). */
export interface Maintenance extends Active {
  kind: 'maintenance';
  schedule: ScheduleFields;
  agenda: Agenda;
}

export type ExistingIncident = RegularIncident | Maintenance;

export type Incident = { status: 'absent' } | ExistingIncident | { status: 'deleted' };

export const { existing, requireAbsent, onExisting } = lifecycleOf<Incident>('incident');

const identical = (fact: IncidentFact): IncidentFact => fact;

const textOf = ({ body, deliver_notifications }: UpdateFields): UpdateText => ({ body, deliver_notifications });

const begun = (
  event: Extract<IncidentEvent, { type: 'IncidentOpened' | 'MaintenanceScheduled' | 'PastIncidentLogged' }>,
): Active => ({
  status: 'active',
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
  removed: new Set(),
  withheld: new Set(),
  postmortem: null,
});

/** Adds the facts of an event to an incident, and then applies `change`. */
const withFacts = (
  incident: Incident,
  event: IncidentEvent,
  change: (incident: ExistingIncident) => ExistingIncident = (same) => same,
): Incident =>
  onExisting(incident, (active) => change({ ...active, facts: evolveFacts(active.facts, event, identical) }));

const withText = (incident: ExistingIncident, id: string, text: UpdateText | null): ExistingIncident => {
  const texts = new Map(incident.texts);
  if (text) texts.set(id, text);
  else texts.delete(id);
  return { ...incident, texts };
};

const SCHEDULE_FIELDS = /^(?:scheduled_|auto_|reminder_)/;

type Changes = Partial<IncidentFields & ScheduleFields>;

/** Returns the changed fields that are part of the schedule. */
export const scheduleIn = (changes: Changes): Partial<ScheduleFields> =>
  Object.fromEntries(Object.entries(changes).filter(([field]) => SCHEDULE_FIELDS.test(field)));

/** Returns the changed fields that are not part of the schedule. */
const ownIn = (changes: Changes): Partial<IncidentFields> =>
  Object.fromEntries(Object.entries(changes).filter(([field]) => !SCHEDULE_FIELDS.test(field)));

const withChanges = (incident: ExistingIncident, changes: Changes): ExistingIncident => {
  const fields = { ...incident.fields, ...ownIn(changes) };
  if (incident.kind === 'regular') return { ...incident, fields };
  return { ...incident, fields, schedule: { ...incident.schedule, ...scheduleIn(changes) } };
};

const changed = (incident: Incident, event: IncidentEvent): Incident => {
  switch (event.type) {
    case 'IncidentOpened':
    case 'PastIncidentLogged':
      return { kind: 'regular', ...begun(event) };
    case 'MaintenanceScheduled':
      return { kind: 'maintenance', schedule: event.data.schedule, agenda: NO_AGENDA, ...begun(event) };
    case 'IncidentChanged':
      return withFacts(incident, event, (active) => withChanges(active, event.data.changes));
    case 'IncidentStatusChanged':
    case 'MaintenanceReminded':
    case 'MaintenanceReminderMissed':
      return withFacts(incident, event);
    case 'IncidentUpdateAppended':
      return withFacts(incident, event, (active) => withText(active, event.data.update.id, textOf(event.data.update)));
    case 'IncidentUpdateEdited': {
      const { incident_update_id: id, changes } = event.data;
      return withFacts(incident, event, (active) => {
        const text = active.texts.get(id);
        if (!text || changes.body === undefined) return active;
        const withheld = new Set(active.withheld);
        withheld.delete(id);
        return { ...withText(active, id, { ...text, body: changes.body }), withheld };
      });
    }
    case 'IncidentUpdateRemoved':
      return withFacts(incident, event, (active) => ({
        ...withText(active, event.data.incident_update_id, null),
        removed: new Set(active.removed).add(event.data.incident_update_id),
      }));
    case 'IncidentUpdateTextWithheld':
      return onExisting(incident, (active) => ({
        ...active,
        withheld: new Set(active.withheld).add(event.data.incident_update_id),
      }));
    case 'PostmortemDrafted':
    case 'PostmortemPublished':
    case 'PostmortemUnpublished':
      return onExisting(incident, (active) => ({
        ...active,
        postmortem: evolvePostmortem(active.postmortem, event),
      }));
    case 'IncidentDeleted':
      return { status: 'deleted' };
    default:
      return unreachable(event);
  }
};

const isMaintenance = (incident: Incident): incident is Maintenance =>
  incident.status === 'active' && incident.kind === 'maintenance';

const evolve = (incident: Incident, event: IncidentEvent): Incident => {
  const after = changed(incident, event);
  if (!isMaintenance(after)) return after;
  return { ...after, agenda: agendaAfter(isMaintenance(incident) ? incident : null, event, after) };
};

/** The decider of incidents and maintenances, including their updates and postmortems. */
export const incidentDecider: Decider<Incident, IncidentEvent> = {
  category: 'incident',
  initialState: { status: 'absent' },
  evolve,
};
