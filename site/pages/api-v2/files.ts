import type { TObject } from '@sinclair/typebox';
import { NotFound } from '../../../domain/errors.ts';
import { INCIDENT_STATUSES, isResolved, type MaintenanceStatus } from '../../../domain/incident/statuses.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import { readNewestIncidents, pageChangedAt, type IncidentSelection } from '../../../queries/pages/newest-incidents.ts';
import { componentsForVisitors, type PageComponents } from '../../../queries/pages/visible-components.ts';
import type { PageVisit } from '../page-route.ts';
import { absoluteRoot } from '../public-response.ts';
import { boundedList, boundedText, MOST_INCIDENTS } from './size-limits.ts';
import { presentComponents, presentIncident, presentPage, presentStatus } from './present.ts';
import { fileOf, ONE_INCIDENT } from './schema.ts';

/** A file of Statuspage's public API. */
export interface ApiFile {
  /** path below `api/v2`; contains `{incident_id}` if the file is about one incident */
  path: string;
  summary: string;
  schema: TObject;
  /** Reads the content of the file, except its property `page`. @throws NotFound */
  read: (visit: PageVisit, components: PageComponents, id: string) => Promise<Readonly<Record<string, string>>>;
}

const OPEN = INCIDENT_STATUSES.filter((status) => !isResolved(status));
const UPCOMING: readonly MaintenanceStatus[] = ['scheduled'];
const ACTIVE: readonly MaintenanceStatus[] = ['in_progress', 'verifying'];

const presenting = (visit: PageVisit, { all }: PageComponents) => {
  const root = absoluteRoot(visit);
  const known = new Map(all.map((one) => [one.id, one]));
  return (incident: Parameters<typeof presentIncident>[0]) => presentIncident(incident, root, known);
};

const listed = (visit: PageVisit, components: PageComponents, which: IncidentSelection): Promise<string> =>
  boundedList(readNewestIncidents(visit.scope, visit.page, which, MOST_INCIDENTS), presenting(visit, components));

const status = ({ visible }: PageComponents): string => JSON.stringify(presentStatus(visible));
const shown = ({ visible }: PageComponents): string => JSON.stringify(presentComponents(visible));

const incidentList = (path: string, summary: string, which: Omit<IncidentSelection, 'kind'>): ApiFile => ({
  path,
  summary,
  schema: fileOf({ page: 'Page', incidents: ['Incident'] }),
  read: async (visit, components) => ({ incidents: await listed(visit, components, { ...which, kind: 'regular' }) }),
});

const maintenanceList = (path: string, summary: string, which: Omit<IncidentSelection, 'kind'>): ApiFile => ({
  path,
  summary,
  schema: fileOf({ page: 'Page', scheduled_maintenances: ['Maintenance'] }),
  read: async (visit, components) => ({
    scheduled_maintenances: await listed(visit, components, { ...which, kind: 'maintenance' }),
  }),
});

/** All files that can be read. `subscribers.json`, which accepts subscriptions, is in subscribers.ts. */
export const FILES: readonly ApiFile[] = [
  {
    path: 'summary.json',
    summary: 'Status, components, unresolved incidents, and upcoming and active maintenances',
    schema: fileOf({
      page: 'Page',
      status: 'Status',
      components: ['Component'],
      incidents: ['Incident'],
      scheduled_maintenances: ['Maintenance'],
    }),
    read: async (visit, components) => ({
      status: status(components),
      components: shown(components),
      incidents: await listed(visit, components, { kind: 'regular', statuses: OPEN }),
      scheduled_maintenances: await listed(visit, components, {
        kind: 'maintenance',
        statuses: [...UPCOMING, ...ACTIVE],
      }),
    }),
  },
  {
    path: 'status.json',
    summary: 'Status of the whole page',
    schema: fileOf({ page: 'Page', status: 'Status' }),
    read: (_, components) => Promise.resolve({ status: status(components) }),
  },
  {
    path: 'components.json',
    summary: 'Components and groups',
    schema: fileOf({ page: 'Page', components: ['Component'] }),
    read: (_, components) => Promise.resolve({ components: shown(components) }),
  },
  incidentList('incidents.json', 'The 50 newest incidents', {}),
  incidentList('incidents/unresolved.json', 'Unresolved incidents', { statuses: OPEN }),
  {
    path: 'incidents/{incident_id}.json',
    summary: 'One incident or maintenance',
    schema: ONE_INCIDENT,
    read: async (visit, components, id) => {
      const incident = await visit.scope.read(incidents).incidents.get(id);
      if (incident?.page_id !== visit.page.id) throw new NotFound('There is no such incident.');
      return { incident: boundedText(presenting(visit, components)(incident)) };
    },
  },
  maintenanceList('scheduled-maintenances.json', 'The 50 newest maintenances', {}),
  maintenanceList('scheduled-maintenances/active.json', 'Maintenances in progress', { statuses: ACTIVE }),
  maintenanceList('scheduled-maintenances/upcoming.json', 'Upcoming maintenances', { statuses: UPCOMING }),
];

/** Returns the content of a file. @throws NotFound */
export const fileText = async ({ read }: ApiFile, visit: PageVisit, id: string): Promise<string> => {
  const components = await componentsForVisitors(visit.scope, visit.page);
  const [updatedAt, keys] = await Promise.all([
    pageChangedAt(visit.scope, visit.page, components.visible),
    read(visit, components, id),
  ]);
  const page = JSON.stringify(presentPage(visit.page, absoluteRoot(visit), updatedAt));
  return `{${Object.entries({ page, ...keys })
    .map(([key, json]) => `"${key}":${json}`)
    .join(',')}}`;
};
