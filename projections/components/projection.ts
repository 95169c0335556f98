import type { RecordedEventOf } from '../../domain/event-types.ts';
import { evolveFacts, inEffect, componentsNamedBy } from '../../domain/incident/facts.ts';
import { componentsNamedIn, timeOf } from '../../domain/incident/event.ts';
import { revisionOf } from '../../domain/revision.ts';
import { laterOf } from '../../domain/time.ts';
import type { Query } from '../../stores/read-store/port.ts';
import { collection, defineProjection, type Known, type Models } from '../engine/fold/define.ts';
import type { ComponentDocument, LaneDocument, TimelineDocument, UnlinkedCheckDocument } from './documents.ts';
import { laneIdOfHolder, laneOfHolder, withHold } from './holds.ts';
import { isLastLane, laneId, manualLaneId, manualLane, lanesOfIncident, logOrderOf, withLaneStatus } from './lanes.ts';
import { withShownStatus } from './shown-status.ts';

type IncidentEventType =
  | 'IncidentOpened'
  | 'MaintenanceScheduled'
  | 'PastIncidentLogged'
  | 'IncidentStatusChanged'
  | 'IncidentUpdateAppended'
  | 'IncidentUpdateEdited'
  | 'IncidentUpdateRemoved'
  | 'IncidentDeleted';

const collections = {
  components: collection<ComponentDocument>({
    indexes: [{ page_id: 1, position: 1, name: 1 }, { group_id: 1, position: 1, name: 1 }, { check_id: 1 }],
  }),
  timelines: collection<TimelineDocument>({ indexes: [], small: true }),
  lanes: collection<LaneDocument>({
    indexes: [
      { component_id: 1, span: 1, begins: 1 },
      { component_id: 1, leaves: 1 },
      { component_id: 1, last_set: 1 },
    ],
    small: true,
  }),
  unlinked_checks: collection<UnlinkedCheckDocument>({ indexes: [] }),
};

type ComponentModels = Models<typeof collections>;

/** Returns the ids of the components that an incident names before or after an event. */
const touchedBy = (event: RecordedEventOf<IncidentEventType>, models: Known<typeof collections>): string[] => {
  const facts = models.timelines.get(event.data.incident_id)?.facts ?? [];
  return [...new Set([...componentsNamedBy(facts), ...componentsNamedIn(event)])];
};

/** Folds a fact of an incident into its lanes, and into the statuses of its components. */
const onIncident = (event: RecordedEventOf<IncidentEventType>, models: ComponentModels): void => {
  const id = event.data.incident_id;
  const touched = touchedBy(event, models);
  const before = models.timelines.get(id)?.facts ?? [];
  const facts = evolveFacts(before, event, (fact, index) => ({ ...fact, order: logOrderOf(event, index) }));
  if (facts.length === 0) models.timelines.delete(id);
  else models.timelines.put({ id, facts });
  const laneFor = lanesOfIncident(id, inEffect(facts));
  for (const componentId of touched) {
    const lane = laneFor(componentId);
    if (lane) models.lanes.put(lane);
    else models.lanes.delete(laneId(id, componentId));
    const component = models.components.get(componentId);
    if (!component) continue;
    const others = models.lanes.found.filter((found) => found.component_id === componentId);
    const changed = withLaneStatus(component, laneId(id, componentId), lane, others, timeOf(event));
    if (changed !== component) models.components.put(changed);
  }
};

/** Folds a hold or release of a component. */
const onHold = (event: RecordedEventOf<'ComponentHeld' | 'ComponentReleased'>, models: ComponentModels): void => {
  models.lanes.put(laneOfHolder(models.lanes.get(laneIdOfHolder(event.data)), event));
  const component = models.components.get(event.data.component_id);
  if (component) models.components.put(withHold(component, event));
};

/**
 * Forgets the link of a component to its deleted check when the component gets a new check. Otherwise a restoration of
 * the deleted check would link the component to the deleted check again.
 */
const forgetLink = ({ data }: RecordedEventOf<'ComponentUpdated'>, { unlinked_checks }: ComponentModels): void => {
  const former = data.previous.check_id ?? null;
  const unlinked = former === null ? undefined : unlinked_checks.get(former);
  if (!unlinked) return;
  const component_ids = unlinked.component_ids.filter((id) => id !== data.component_id);
  if (component_ids.length > 0) unlinked_checks.put({ ...unlinked, component_ids });
  else unlinked_checks.delete(unlinked.id);
};

/** Returns the ids of the components that an incident names, and of its lanes for these components. */
const whatIsNamed = (event: RecordedEventOf<IncidentEventType>, models: Known<typeof collections>) => {
  const touched = touchedBy(event, models);
  return { components: touched, lanes: touched.map((id) => laneId(event.data.incident_id, id)) };
};

/**
 * Searches for the lanes that are needed if an event withdraws a status. For each component whose status the incident
 * has set, finds the two lanes that have set the status most recently.
 */
const lastLanes = (event: RecordedEventOf<IncidentEventType>, models: ComponentModels): { lanes: Query[] } => ({
  lanes: touchedBy(event, models)
    .filter((id) => isLastLane(models.components.get(id), laneId(event.data.incident_id, id)))
    .map((id) => ({ where: { component_id: id }, sort: { last_set: -1 }, limit: 2 })),
});

/**
 * Components and component groups, and the timelines of their statuses (docs/reference/uptime.md#timelines). The lanes
 * of a removed component remain stored, but are not used any more.
 */
export const components = defineProjection({
  name: 'components',
  version: 8,
  log: 'main',
  collections,
  documents: (event) => {
    switch (event.type) {
      case 'ComponentAdded':
        return {
          components: [event.data.component_id],
          lanes: [manualLaneId(event.data.component_id, logOrderOf(event))],
        };
      case 'ComponentUpdated': {
        const former = event.data.previous.check_id ?? null;
        return {
          components: [event.data.component_id],
          lanes: [manualLaneId(event.data.component_id, logOrderOf(event))],
          ...(former !== null && { unlinked_checks: [former] }),
        };
      }
      case 'ComponentHeld':
      case 'ComponentReleased':
        return { components: [event.data.component_id], lanes: [laneIdOfHolder(event.data)] };
      case 'ComponentRemoved':
        return { components: [event.data.component_id] };
      case 'CheckDeleted':
        return {};
      case 'CheckRestored':
        return { unlinked_checks: [event.data.check_id] };
      default:
        return { timelines: [event.data.incident_id] };
    }
  },
  further: {
    IncidentOpened: whatIsNamed,
    MaintenanceScheduled: whatIsNamed,
    PastIncidentLogged: whatIsNamed,
    IncidentStatusChanged: whatIsNamed,
    IncidentUpdateAppended: whatIsNamed,
    IncidentUpdateEdited: whatIsNamed,
    IncidentUpdateRemoved: whatIsNamed,
    IncidentDeleted: whatIsNamed,
    CheckRestored: ({ data }, { unlinked_checks }) => ({
      components: unlinked_checks.get(data.check_id)?.component_ids ?? [],
    }),
  },
  searches: {
    CheckDeleted: ({ data }) => ({ components: { where: { check_id: data.check_id } } }),
    IncidentUpdateEdited: lastLanes,
    IncidentUpdateRemoved: lastLanes,
    IncidentDeleted: lastLanes,
  },
  on: {
    ComponentAdded: (event, models) => {
      const { page_id, component_id: id, created_at: at, component } = event.data;
      const lane = manualLane(id, 'creation', at, logOrderOf(event), component.status);
      models.components.put({
        ...component,
        id,
        organization_id: event.metadata.organization_id ?? '',
        page_id,
        revision: revisionOf(event),
        created_at: at,
        updated_at: at,
        own_status: component.status,
        holds: [],
        status_set: { lane: lane.id, moment: lane.last_set ?? '' },
      });
      if (!component.group) models.lanes.put(lane);
    },
    ComponentUpdated: (event, models) => {
      const { component_id: id, changed_at: at, changes } = event.data;
      const before = models.components.get(id);
      if (!before) throw new Error(`The component ${id} was changed but never added.`);
      const { status, ...others } = changes;
      const revision = revisionOf(event);
      const component = { ...before, ...others, revision, updated_at: laterOf(before.updated_at, at) };
      forgetLink(event, models);
      if (status === undefined) {
        models.components.put(component);
        return;
      }
      const lane = manualLane(id, 'edit', at, logOrderOf(event), status);
      models.lanes.put(lane);
      // A manual change ends all earlier statuses, including those of holders.
      models.components.put(withShownStatus(withLaneStatus({ ...component, holds: [] }, lane.id, lane, [], at), at));
    },
    ComponentHeld: onHold,
    ComponentReleased: onHold,
    ComponentRemoved: (event, models) => {
      models.components.delete(event.data.component_id);
    },
    CheckDeleted: ({ data: { check_id: id } }, models) => {
      const { found } = models.components;
      for (const component of found) models.components.put({ ...component, check_id: null });
      if (found.length > 0) models.unlinked_checks.put({ id, component_ids: found.map((component) => component.id) });
    },
    CheckRestored: ({ data: { check_id } }, models) => {
      for (const id of models.unlinked_checks.get(check_id)?.component_ids ?? []) {
        const component = models.components.get(id);
        if (component) models.components.put({ ...component, check_id });
      }
      models.unlinked_checks.delete(check_id);
    },
    IncidentOpened: onIncident,
    MaintenanceScheduled: onIncident,
    PastIncidentLogged: onIncident,
    IncidentStatusChanged: onIncident,
    IncidentUpdateAppended: onIncident,
    IncidentUpdateEdited: onIncident,
    IncidentUpdateRemoved: onIncident,
    IncidentDeleted: onIncident,
  },
});
