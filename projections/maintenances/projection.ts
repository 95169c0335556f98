import type { RecordedEventOf } from '../../domain/event-types.ts';
import { agendaAfter, dueActionAt, type Agenda, type PlannedAction } from '../../domain/incident/agenda.ts';
import { evolveFacts, type IncidentFact } from '../../domain/incident/facts.ts';
import { scheduleIn } from '../../domain/incident/state.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Models } from '../engine/fold/define.ts';

/** Internal: data from which the agenda of a maintenance is derived. The id is that of the incident. */
export interface MaintenanceDocument extends PlannedAction {
  id: string;
  organization_id: string;
  page_id: string;
  agenda: Agenda;
}

/** A maintenance whose next step is due at a known time. */
export interface DueMaintenanceDocument {
  /** Id of the incident. */
  id: string;
  organization_id: string;
  page_id: string;
  /** Due time of the next reminder or status change. */
  due_at: Instant;
  /** Position of the event that set this due time. */
  changed_position: number;
}

/**
 * Maximum number of maintenances that are removed from the list when their page is deleted. The engine limits the
 * number of documents that an event can touch.
 */
const AT_ONCE = 990;

const collections = {
  maintenances: collection<MaintenanceDocument>({ indexes: [] }),
  due_maintenances: collection<DueMaintenanceDocument>({
    indexes: [{ due_at: 1 }, { changed_position: 1 }, { page_id: 1 }],
  }),
  deleted_pages: collection<{ id: string }>({ indexes: [] }),
};

type MaintenanceModels = Models<typeof collections>;

type Change = RecordedEventOf<
  | 'IncidentChanged'
  | 'IncidentStatusChanged'
  | 'IncidentUpdateAppended'
  | 'IncidentUpdateEdited'
  | 'IncidentUpdateRemoved'
  | 'MaintenanceReminded'
  | 'MaintenanceReminderMissed'
>;

/** Returns the facts of a maintenance without the components, which this projection does not need. */
const bareFacts = (before: readonly IncidentFact[], event: Parameters<typeof evolveFacts>[1]): IncidentFact[] =>
  evolveFacts(before, event, (fact) => fact).map((fact) => ({ ...fact, components: {} }));

/** Stores a maintenance, and updates its item on the list. */
const put = (maintenance: MaintenanceDocument, position: bigint, models: MaintenanceModels): void => {
  const { id, organization_id, page_id, agenda } = maintenance;
  models.maintenances.put(maintenance);
  const due_at = models.deleted_pages.get(page_id) ? null : dueActionAt(agenda);
  if (due_at === null) models.due_maintenances.delete(id);
  else if (models.due_maintenances.get(id)?.due_at !== due_at) {
    models.due_maintenances.put({ id, organization_id, page_id, due_at, changed_position: Number(position) });
  }
};

const onChange = (event: Change, models: MaintenanceModels): void => {
  const before = models.maintenances.get(event.data.incident_id);
  // Ignore incidents that are no maintenance.
  if (!before) return;
  const after: PlannedAction = {
    schedule:
      event.type === 'IncidentChanged' ? { ...before.schedule, ...scheduleIn(event.data.changes) } : before.schedule,
    facts: bareFacts(before.facts, event),
  };
  put({ ...before, ...after, agenda: agendaAfter(before, event, after) }, event.position, models);
};

/** Maintenances by the time of their next step: the list of the reactor `maintenance`. */
export const maintenances = defineProjection({
  name: 'maintenances',
  version: 1,
  log: 'main',
  collections,
  documents: ({ type, data }) => ({
    deleted_pages: [data.page_id],
    ...(type !== 'PageDeleted' && { maintenances: [data.incident_id], due_maintenances: [data.incident_id] }),
  }),
  searches: {
    PageDeleted: ({ data: { page_id } }) => ({ due_maintenances: { where: { page_id }, limit: AT_ONCE } }),
  },
  on: {
    MaintenanceScheduled: (event, models) => {
      const { incident_id: id, page_id, schedule } = event.data;
      const planned: PlannedAction = { schedule, facts: bareFacts([], event) };
      const organization_id = event.metadata.organization_id ?? '';
      put(
        { id, organization_id, page_id, ...planned, agenda: agendaAfter(null, event, planned) },
        event.position,
        models,
      );
    },
    IncidentChanged: onChange,
    IncidentStatusChanged: onChange,
    IncidentUpdateAppended: onChange,
    IncidentUpdateEdited: onChange,
    IncidentUpdateRemoved: onChange,
    MaintenanceReminded: onChange,
    MaintenanceReminderMissed: onChange,
    IncidentDeleted: ({ data: { incident_id } }, { maintenances, due_maintenances }) => {
      maintenances.delete(incident_id);
      due_maintenances.delete(incident_id);
    },
    PageDeleted: ({ data: { page_id } }, { due_maintenances, deleted_pages }) => {
      deleted_pages.put({ id: page_id });
      for (const { id } of due_maintenances.found) due_maintenances.delete(id);
    },
  },
});
