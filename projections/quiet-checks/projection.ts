import type { RecordedEventOf } from '../../domain/event-types.ts';
import { evolveFacts, componentsNamedBy, statusBy } from '../../domain/incident/facts.ts';
import { isInProgress } from '../../domain/incident/statuses.ts';
import { collection, defineProjection, type Known, type Model, type Models } from '../engine/fold/define.ts';
import {
  suppressedTagId,
  type SuppressionDocument,
  type SuppressingMaintenanceDocument,
  type WatchedPageDocument,
} from './documents.ts';

const collections = {
  quiet_checks: collection<SuppressionDocument>({ indexes: [{ changed_position: 1 }] }),
  quiet_tags: collection<SuppressionDocument>({ indexes: [{ changed_position: 1 }] }),
  maintenances: collection<SuppressingMaintenanceDocument>({ indexes: [] }),
  pages: collection<WatchedPageDocument>({ indexes: [] }),
};

type QuietModels = Models<typeof collections>;

type Change = RecordedEventOf<
  | 'IncidentChanged'
  | 'IncidentStatusChanged'
  | 'IncidentUpdateAppended'
  | 'IncidentUpdateEdited'
  | 'IncidentUpdateRemoved'
>;

const without = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([other]) => other !== key));

const organizationOf = ({ metadata }: { metadata: { organization_id?: string | null } }): string =>
  metadata.organization_id ?? '';

type Named = Pick<WatchedPageDocument, 'checks' | 'tags'>;

/** Returns the ids of the checks and tags that the components of pages name. */
const quietIds = (...pages: (Named | undefined)[]) => ({
  quiet_checks: [...new Set(pages.flatMap((page) => Object.values(page?.checks ?? {})))],
  quiet_tags: [...new Set(pages.flatMap((page) => Object.values(page?.tags ?? {})))],
});

/** Returns the ids of the check and the tag that a component names. */
const quietIdsOf = (
  { check_id, check_tag }: { check_id?: string | null; check_tag?: string | null },
  event: Parameters<typeof organizationOf>[0],
) => ({
  quiet_checks: typeof check_id === 'string' ? [check_id] : [],
  quiet_tags: typeof check_tag === 'string' ? [suppressedTagId(organizationOf(event), check_tag)] : [],
});

const pageOf = (
  event: RecordedEventOf<'ComponentAdded' | 'ComponentUpdated' | 'MaintenanceScheduled' | Change['type']>,
  { pages }: Known<typeof collections>,
): WatchedPageDocument =>
  pages.get(event.data.page_id) ?? {
    id: event.data.page_id,
    organization_id: organizationOf(event),
    checks: {},
    tags: {},
    maintenances: {},
  };

/** Stores a page, and updates the suppression of all checks and tags that its components named before or name now. */
const putPage = (page: WatchedPageDocument, position: bigint, models: QuietModels): void => {
  const { quiet_checks, quiet_tags } = quietIds(models.pages.get(page.id), page);
  models.pages.put(page);
  for (const id of quiet_checks) putQuiet(models.quiet_checks, id, page.checks, page, position);
  for (const id of quiet_tags) putQuiet(models.quiet_tags, id, page.tags, page, position);
};

/** Updates which maintenances suppress a check or a tag. @param named ids of the named checks or tags, by component */
const putQuiet = (
  model: Model<SuppressionDocument>,
  id: string,
  named: Readonly<Record<string, string>>,
  page: WatchedPageDocument,
  position: bigint,
): void => {
  const before = model.get(id);
  const here = Object.entries(page.maintenances)
    .filter(([, components]) => components.some((component) => named[component] === id))
    .map(([incident]) => incident)
    .sort();
  const by_page = { ...before?.by_page, [page.id]: here };
  const incident_ids = [...new Set(Object.values(by_page).flat())].sort();
  const same = before?.incident_ids.join() === incident_ids.join();
  model.put({
    id,
    organization_id: page.organization_id,
    incident_ids,
    by_page,
    changed_position: same ? before.changed_position : Number(position),
  });
};

/**
 * Replaces the check or tag that one component names.
 *
 * @param name the new id, null for none, or undefined to change nothing
 */
const renamed = (
  names: Readonly<Record<string, string>>,
  component: string,
  name: string | null | undefined,
): Readonly<Record<string, string>> => {
  if (name === undefined) return names;
  const others = without(names, component);
  return name === null ? others : { ...others, [component]: name };
};

/** Stores the check and the tag that a component names after an event. */
const putNamed = (
  event: RecordedEventOf<'ComponentAdded' | 'ComponentUpdated'>,
  { check_id, check_tag }: { check_id?: string | null; check_tag?: string | null },
  models: QuietModels,
): void => {
  const { component_id } = event.data;
  const page = pageOf(event, models);
  const tag = typeof check_tag === 'string' ? suppressedTagId(organizationOf(event), check_tag) : check_tag;
  const checks = renamed(page.checks, component_id, check_id);
  const tags = renamed(page.tags, component_id, tag);
  putPage({ ...page, checks, tags }, event.position, models);
};

/** Folds an event of a maintenance into the documents of the maintenance and its page. */
const onMaintenance = (
  event: RecordedEventOf<'MaintenanceScheduled'> | Change,
  maintenance: SuppressingMaintenanceDocument,
  models: QuietModels,
): void => {
  const facts = evolveFacts(maintenance.facts, event, (fact) => fact);
  const { id } = maintenance;
  models.maintenances.put({ ...maintenance, facts });
  const page = pageOf(event, models);
  const status = statusBy(facts);
  const others = without(page.maintenances, id);
  const maintenances = status !== null && isInProgress(status) ? { ...others, [id]: componentsNamedBy(facts) } : others;
  putPage({ ...page, maintenances }, event.position, models);
};

const onChange = (event: Change, models: QuietModels): void => {
  const before = models.maintenances.get(event.data.incident_id);
  // Ignore incidents that are no maintenance.
  if (!before) return;
  const changes = event.type === 'IncidentChanged' ? event.data.changes : {};
  const { name = before.name, scheduled_until: until = before.until } = changes;
  onMaintenance(event, { ...before, name, until }, models);
};

const ofPage = (event: { data: { page_id: string } }, { pages }: Known<typeof collections>) =>
  quietIds(pages.get(event.data.page_id));

/**
 * Checks and tags of checks, with the maintenances that suppress their alert rules. A maintenance in progress
 * suppresses the rules of a check if the maintenance names a component that is linked to the check or to one of the
 * check's tags (docs/reference/alerts.md#maintenance). The document of a deleted check remains, because the check can
 * be restored.
 */
export const quietChecks = defineProjection({
  name: 'quiet_checks',
  version: 3,
  log: 'main',
  collections,
  documents: (event) => {
    switch (event.type) {
      case 'ComponentAdded':
        return { pages: [event.data.page_id], ...quietIdsOf(event.data.component, event) };
      case 'ComponentUpdated':
        return { pages: [event.data.page_id], ...quietIdsOf(event.data.changes, event) };
      case 'ComponentRemoved':
      case 'PageDeleted':
        return { pages: [event.data.page_id] };
      default:
        return { pages: [event.data.page_id], maintenances: [event.data.incident_id] };
    }
  },
  further: {
    ComponentAdded: ofPage,
    ComponentUpdated: ofPage,
    ComponentRemoved: ofPage,
    PageDeleted: ofPage,
    MaintenanceScheduled: ofPage,
    IncidentChanged: ofPage,
    IncidentStatusChanged: ofPage,
    IncidentUpdateAppended: ofPage,
    IncidentUpdateEdited: ofPage,
    IncidentUpdateRemoved: ofPage,
    IncidentDeleted: ofPage,
  },
  on: {
    ComponentAdded: (event, models) => {
      const { check_id, check_tag } = event.data.component;
      if (check_id !== null || check_tag !== null) putNamed(event, { check_id, check_tag }, models);
    },
    ComponentUpdated: (event, models) => {
      const { check_id, check_tag } = event.data.changes;
      if (check_id !== undefined || check_tag !== undefined) putNamed(event, event.data.changes, models);
    },
    ComponentRemoved: ({ data, position }, models) => {
      const page = models.pages.get(data.page_id);
      if (!page || !(data.component_id in page.checks || data.component_id in page.tags)) return;
      const [checks, tags] = [page.checks, page.tags].map((names) => without(names, data.component_id));
      putPage({ ...page, checks: checks ?? {}, tags: tags ?? {} }, position, models);
    },
    PageDeleted: ({ data, position }, models) => {
      const page = models.pages.get(data.page_id);
      if (page) putPage({ ...page, checks: {}, tags: {}, maintenances: {} }, position, models);
    },
    MaintenanceScheduled: (event, models) => {
      const { incident_id: id, incident, schedule } = event.data;
      const organization_id = organizationOf(event);
      const until = schedule.scheduled_until;
      onMaintenance(event, { id, organization_id, name: incident.name, until, facts: [] }, models);
    },
    IncidentChanged: onChange,
    IncidentStatusChanged: onChange,
    IncidentUpdateAppended: onChange,
    IncidentUpdateEdited: onChange,
    IncidentUpdateRemoved: onChange,
    IncidentDeleted: ({ data, position }, models) => {
      const page = models.pages.get(data.page_id);
      if (!models.maintenances.get(data.incident_id) || !page) return;
      models.maintenances.delete(data.incident_id);
      putPage({ ...page, maintenances: without(page.maintenances, data.incident_id) }, position, models);
    },
  },
});
