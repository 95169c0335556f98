import { componentsNamedIn } from '../../domain/incident/event.ts';
import type { RecordedEventOf } from '../../domain/event-types.ts';
import { followedUntil } from '../../domain/subscriber/retention-periods.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Known, type Models } from '../engine/fold/define.ts';
import { createIncidentDocument, changeIncidentDocument } from './incident-document.ts';
import type {
  CancelledMaintenanceDocument,
  CountedUpdateDocument,
  EndedIncidentDocument,
  IncidentComponentDocument,
  IncidentDocument,
  PostmortemDocument,
} from './documents.ts';
import { withDraft, withPublication, withoutPublication } from './postmortem.ts';

const collections = {
  incidents: collection<IncidentDocument>({
    indexes: [
      { page_id: 1, kind: 1, created_at: -1 },
      { page_id: 1, kind: 1, status: 1, created_at: -1 },
      { page_id: 1, kind: 1, resolved_at: 1, created_at: -1 },
      { page_id: 1, kind: 1, changed_position: -1, updated_at: -1 },
    ],
  }),
  incident_components: collection<IncidentComponentDocument>({
    indexes: [{ page_id: 1, component_id: 1, kind: 1, created_at: -1 }],
    small: true,
  }),
  incident_updates: collection<CountedUpdateDocument>({ indexes: [{ page_id: 1, created_at: 1 }], small: true }),
  postmortems: collection<PostmortemDocument>({ indexes: [] }),
  cancelled_maintenances: collection<CancelledMaintenanceDocument>({ indexes: [{ page_id: 1, deleted_at: -1 }] }),
  ended_incidents: collection<EndedIncidentDocument>({ indexes: [{ due_at: 1 }, { changed_position: 1 }] }),
};

type IncidentModels = Models<typeof collections>;

type Beginning = RecordedEventOf<'IncidentOpened' | 'MaintenanceScheduled' | 'PastIncidentLogged'>;
type Change = RecordedEventOf<
  | 'IncidentChanged'
  | 'IncidentStatusChanged'
  | 'IncidentUpdateAppended'
  | 'IncidentUpdateEdited'
  | 'IncidentUpdateRemoved'
>;

const linkId = (incidentId: string, componentId: string): string => `${incidentId}:${componentId}`;

/** Returns the ids of the updates that an event adds, changes or removes. */
const updatesIn = (event: Beginning | Change): readonly string[] => {
  switch (event.type) {
    case 'IncidentOpened':
    case 'MaintenanceScheduled':
    case 'IncidentUpdateAppended':
      return [event.data.update.id];
    case 'PastIncidentLogged':
      return event.data.updates.map(({ id }) => id);
    case 'IncidentUpdateEdited':
    case 'IncidentUpdateRemoved':
      return [event.data.incident_update_id];
    case 'IncidentChanged':
    case 'IncidentStatusChanged':
      return [];
  }
};

/** Returns the ids of the components that an incident names before or after an event. */
const touchedBy = (event: Beginning | Change, before: IncidentDocument | undefined): string[] => [
  ...new Set([...(before?.component_ids ?? []), ...componentsNamedIn(event)]),
];

const links = (event: Beginning | Change, models: Known<typeof collections>) => ({
  incident_components: touchedBy(event, models.incidents.get(event.data.incident_id)).map((id) =>
    linkId(event.data.incident_id, id),
  ),
});

/** Returns the ids of all documents that belong to an incident. */
const foundBy = ({ id, component_ids, incident_updates }: IncidentDocument) => ({
  incident_components: component_ids.map((componentId) => linkId(id, componentId)),
  incident_updates: incident_updates.map((update) => update.id),
});

/** Stores an incident with its component entries and counted updates. */
const put = (event: Beginning | Change, incident: IncidentDocument, models: IncidentModels): void => {
  const touched = touchedBy(event, models.incidents.get(incident.id));
  models.incidents.put(incident);
  followed(event, incident.resolved_at, models);
  const { id: incident_id, page_id, kind, created_at } = incident;
  for (const component_id of touched) {
    const id = linkId(incident_id, component_id);
    const known = models.incident_components.get(id) !== undefined;
    if (!incident.component_ids.includes(component_id)) models.incident_components.delete(id);
    else if (!known) models.incident_components.put({ id, page_id, component_id, incident_id, kind, created_at });
  }
  for (const id of updatesIn(event)) {
    const update = incident.incident_updates.find((each) => each.id === id);
    if (!update) models.incident_updates.delete(id);
    else models.incident_updates.put({ id, page_id, incident_id, created_at: update.created_at });
  }
};

/** Records when the subscriptions to an incident end. `endedAt` is null if the incident continues. */
const followed = (
  { data, metadata, position }: Beginning | Change | RecordedEventOf<'IncidentDeleted'>,
  endedAt: Instant | null,
  { ended_incidents }: IncidentModels,
): void => {
  const id = data.incident_id;
  if (endedAt === null) ended_incidents.delete(id);
  else {
    const organization_id = metadata.organization_id ?? '';
    ended_incidents.put({ id, organization_id, due_at: followedUntil(endedAt), changed_position: Number(position) });
  }
};

const onBeginning = (event: Beginning, models: IncidentModels): void => {
  put(event, createIncidentDocument(event), models);
};

const onChange = (event: Change, models: IncidentModels): void => {
  put(event, changeIncidentDocument(existing(event, models.incidents), event), models);
};

const existing = (
  {
    data: { incident_id },
  }:
    | Change
    | RecordedEventOf<
        'IncidentUpdateTextWithheld' | 'MaintenanceReminded' | 'PostmortemPublished' | 'PostmortemUnpublished'
      >,
  incidents: Known<typeof collections>['incidents'],
): IncidentDocument => {
  const incident = incidents.get(incident_id);
  if (!incident) throw new Error(`The incident ${incident_id} was changed but never opened.`);
  return incident;
};

const onPublished = (
  event: RecordedEventOf<'PostmortemPublished' | 'PostmortemUnpublished'>,
  models: IncidentModels,
): void => {
  const { incident_id } = event.data;
  const postmortem = models.postmortems.get(incident_id);
  if (!postmortem) throw new Error(`The incident ${incident_id} has no postmortem.`);
  models.incidents.put(changeIncidentDocument(existing(event, models.incidents), event));
  models.postmortems.put(
    event.type === 'PostmortemPublished'
      ? withPublication(postmortem, event)
      : withoutPublication(postmortem, event.data),
  );
};

/** Returns the calendar entry of a maintenance that was deleted before its end. Returns null for other incidents. */
const cancelledBy = (
  { id, page_id, kind, resolved_at, scheduled_for, scheduled_until, created_at }: IncidentDocument,
  deleted_at: Instant,
): CancelledMaintenanceDocument | null =>
  kind === 'regular' || resolved_at !== null || scheduled_for === null || scheduled_until === null
    ? null
    : { id, page_id, scheduled_for, scheduled_until, created_at, deleted_at };

/** Incidents and maintenances with their updates and postmortems. Deleted maintenances remain as calendar entries. */
export const incidents = defineProjection({
  name: 'incidents',
  version: 6,
  log: 'main',
  collections,
  documents: (event) => {
    const id = event.data.incident_id;
    const ofIncident = { incidents: [id], postmortems: [id] };
    switch (event.type) {
      case 'PostmortemDrafted':
      case 'PostmortemPublished':
      case 'PostmortemUnpublished':
        return ofIncident;
      case 'IncidentDeleted':
        return { ...ofIncident, ended_incidents: [id], cancelled_maintenances: [id] };
      case 'IncidentUpdateTextWithheld':
      case 'MaintenanceReminded':
        return { incidents: ofIncident.incidents };
      default:
        return { incidents: ofIncident.incidents, incident_updates: updatesIn(event), ended_incidents: [id] };
    }
  },
  further: {
    IncidentOpened: links,
    MaintenanceScheduled: links,
    PastIncidentLogged: links,
    IncidentChanged: links,
    IncidentStatusChanged: links,
    IncidentUpdateAppended: links,
    IncidentUpdateEdited: links,
    IncidentUpdateRemoved: links,
    IncidentDeleted: ({ data }, { incidents }) => {
      const incident = incidents.get(data.incident_id);
      return incident ? foundBy(incident) : {};
    },
  },
  on: {
    IncidentOpened: onBeginning,
    MaintenanceScheduled: onBeginning,
    PastIncidentLogged: onBeginning,
    IncidentChanged: onChange,
    IncidentStatusChanged: onChange,
    IncidentUpdateAppended: onChange,
    IncidentUpdateEdited: onChange,
    IncidentUpdateRemoved: onChange,
    IncidentUpdateTextWithheld: (event, { incidents }) => {
      incidents.put(changeIncidentDocument(existing(event, incidents), event));
    },
    MaintenanceReminded: (event, { incidents }) => {
      incidents.put(changeIncidentDocument(existing(event, incidents), event));
    },
    PostmortemDrafted: ({ data }, { postmortems }) => {
      postmortems.put(withDraft(postmortems.get(data.incident_id), data));
    },
    PostmortemPublished: onPublished,
    PostmortemUnpublished: onPublished,
    IncidentDeleted: (event, models) => {
      const { data } = event;
      const incident = models.incidents.get(data.incident_id);
      if (!incident) return;
      // If the incident has ended before the deletion, its subscriptions are not extended.
      followed(event, incident.resolved_at ?? data.deleted_at, models);
      const found = foundBy(incident);
      for (const id of found.incident_components) models.incident_components.delete(id);
      for (const id of found.incident_updates) models.incident_updates.delete(id);
      models.postmortems.delete(data.incident_id);
      const cancelled = cancelledBy(incident, data.deleted_at);
      if (cancelled) models.cancelled_maintenances.put(cancelled);
      models.incidents.delete(data.incident_id);
    },
  },
});
