import type { RecordedEventOf } from '../../domain/catalogue.ts';
import { evolveFacts, namedBy, statusBy, type Fact } from '../../domain/incident/facts.ts';
import { isUnderWay } from '../../domain/incident/statuses.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Known, type Models } from '../engine/fold/define.ts';

/** A check that a component names; its id is the check's. */
export interface QuietCheckDocument {
  id: string;
  organization_id: string;
  /** the maintenances in progress that name one of its components, each once; empty: its rules fire */
  incident_ids: readonly string[];
  /** internal: the same by page, for every page with a component that has ever named the check */
  by_page: Readonly<Record<string, readonly string[]>>;
  /** position of the event that made `incident_ids` what they are */
  changed_position: number;
}

/** Internal: a maintenance. Id: the incident's. */
export interface QuietMaintenanceDocument {
  id: string;
  organization_id: string;
  name: string;
  /** when it is to end; it ends by a move, not by this time */
  until: Instant | null;
  facts: readonly Fact[];
}

/** Internal: the components of a page that name a check, and its maintenances in progress. Id: the page's. */
interface WatchedPageDocument {
  id: string;
  organization_id: string;
  /** the check by component */
  checks: Readonly<Record<string, string>>;
  /** the components named by a maintenance in progress, by incident */
  maintenances: Readonly<Record<string, readonly string[]>>;
}

const collections = {
  quiet_checks: collection<QuietCheckDocument>({ indexes: [{ changed_position: 1 }] }),
  maintenances: collection<QuietMaintenanceDocument>({ indexes: [] }),
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

/** The checks of a page as its document is before an event; `more`: those that the event itself names. */
const checksOf = (page: WatchedPageDocument | undefined, ...more: (string | null | undefined)[]): string[] => [
  ...new Set([...Object.values(page?.checks ?? {}), ...more.filter((id) => typeof id === 'string')]),
];

const pageOf = (
  event: RecordedEventOf<'ComponentAdded' | 'ComponentUpdated' | 'MaintenanceScheduled' | Change['type']>,
  { pages }: Known<typeof collections>,
): WatchedPageDocument =>
  pages.get(event.data.page_id) ?? {
    id: event.data.page_id,
    organization_id: organizationOf(event),
    checks: {},
    maintenances: {},
  };

/** Keeps a page, and says of each of its checks, before and after, which maintenances keep it quiet. */
const putPage = (page: WatchedPageDocument, position: bigint, models: QuietModels): void => {
  const touched = checksOf(models.pages.get(page.id), ...Object.values(page.checks));
  models.pages.put(page);
  for (const id of touched) {
    const before = models.quiet_checks.get(id);
    const here = Object.entries(page.maintenances)
      .filter(([, components]) => components.some((component) => page.checks[component] === id))
      .map(([incident]) => incident)
      .sort();
    const by_page = { ...before?.by_page, [page.id]: here };
    const incident_ids = [...new Set(Object.values(by_page).flat())].sort();
    const same = before?.incident_ids.join() === incident_ids.join();
    models.quiet_checks.put({
      id,
      organization_id: page.organization_id,
      incident_ids,
      by_page,
      changed_position: same ? before.changed_position : Number(position),
    });
  }
};

/** Folds an event of a maintenance into it and its page. */
const onMaintenance = (
  event: RecordedEventOf<'MaintenanceScheduled'> | Change,
  maintenance: QuietMaintenanceDocument,
  models: QuietModels,
): void => {
  const facts = evolveFacts(maintenance.facts, event, (fact) => fact);
  const { id } = maintenance;
  models.maintenances.put({ ...maintenance, facts });
  const page = pageOf(event, models);
  const status = statusBy(facts);
  const others = without(page.maintenances, id);
  const maintenances = status !== null && isUnderWay(status) ? { ...others, [id]: namedBy(facts) } : others;
  putPage({ ...page, maintenances }, event.position, models);
};

const onChange = (event: Change, models: QuietModels): void => {
  const before = models.maintenances.get(event.data.incident_id);
  // Other incidents keep nothing quiet.
  if (!before) return;
  const changes = event.type === 'IncidentChanged' ? event.data.changes : {};
  const { name = before.name, scheduled_until: until = before.until } = changes;
  onMaintenance(event, { ...before, name, until }, models);
};

const ofPage = (event: { data: { page_id: string } }, { pages }: Known<typeof collections>) => ({
  quiet_checks: checksOf(pages.get(event.data.page_id)),
});

/**
 * Checks by the maintenances that keep their alert rules quiet: those in progress that name a component which names
 * the check (docs/decisions.md: Alerts, Quiet).
 */
export const quietChecks = defineProjection({
  name: 'quiet_checks',
  version: 1,
  log: 'main',
  collections,
  documents: (event) => {
    switch (event.type) {
      case 'CheckDeleted':
        return { quiet_checks: [event.data.check_id] };
      case 'ComponentAdded':
        return { pages: [event.data.page_id], quiet_checks: checksOf(undefined, event.data.component.check_id) };
      case 'ComponentUpdated':
        return { pages: [event.data.page_id], quiet_checks: checksOf(undefined, event.data.changes.check_id) };
      case 'ComponentRemoved':
      case 'PageDeleted':
        return { pages: [event.data.page_id] };
      default:
        return { pages: [event.data.page_id], maintenances: [event.data.incident_id] };
    }
  },
  further: {
    CheckDeleted: ({ data }, { quiet_checks }) => ({
      pages: Object.keys(quiet_checks.get(data.check_id)?.by_page ?? {}),
    }),
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
      const { component_id, component } = event.data;
      if (component.check_id === null) return;
      const page = pageOf(event, models);
      putPage({ ...page, checks: { ...page.checks, [component_id]: component.check_id } }, event.position, models);
    },
    ComponentUpdated: (event, models) => {
      const { component_id, changes } = event.data;
      if (changes.check_id === undefined) return;
      const page = pageOf(event, models);
      const others = without(page.checks, component_id);
      const checks = changes.check_id === null ? others : { ...others, [component_id]: changes.check_id };
      putPage({ ...page, checks }, event.position, models);
    },
    ComponentRemoved: ({ data, position }, models) => {
      const page = models.pages.get(data.page_id);
      if (page?.checks[data.component_id] === undefined) return;
      putPage({ ...page, checks: without(page.checks, data.component_id) }, position, models);
    },
    PageDeleted: ({ data, position }, models) => {
      const page = models.pages.get(data.page_id);
      if (page) putPage({ ...page, checks: {}, maintenances: {} }, position, models);
    },
    CheckDeleted: ({ data }, models) => {
      const check = models.quiet_checks.get(data.check_id);
      if (!check) return;
      for (const id of Object.keys(check.by_page)) {
        const page = models.pages.get(id);
        const left = Object.entries(page?.checks ?? {}).filter(([, named]) => named !== data.check_id);
        if (page) models.pages.put({ ...page, checks: Object.fromEntries(left) });
      }
      models.quiet_checks.delete(data.check_id);
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
