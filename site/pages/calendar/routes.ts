import { NotFound } from '../../../domain/errors.ts';
import { pageWordsFor } from '../../../messages/page-words/index.ts';
import { wordsFor } from '../../../messages/words/index.ts';
import type { CancelledMaintenanceDocument, IncidentDocument } from '../../../projections/incidents/documents.ts';
import { readMaintenanceCalendar, findMaintenanceOrCancelled } from '../../../queries/pages/maintenance-calendar.ts';
import { componentsForVisitors } from '../../../queries/pages/visible-components.ts';
import type { Route } from '../../route.ts';
import { feedWordingOf } from '../feeds/incident-changes.ts';
import { pageRoute, type PageVisit } from '../page-route.ts';
import { absoluteRoot, publicResponse, type PublicText } from '../public-response.ts';
import { CALENDAR, calendarText, cancelledEvent, eventOf, type CalendarPage } from './calendar.ts';

const pageOf = async (visit: PageVisit): Promise<CalendarPage> => {
  const { page, scope } = visit;
  const { all } = await componentsForVisitors(scope, page);
  const wording = feedWordingOf(wordsFor(page.language), pageWordsFor(page.language), page.time_zone, all);
  return { name: page.name, root: absoluteRoot(visit), wording };
};

type Event = NonNullable<ReturnType<typeof eventOf>>;

const textOf = (
  page: CalendarPage,
  events: readonly (Event | null)[],
  cancelled: readonly CancelledMaintenanceDocument[],
): PublicText => {
  const all = [...events.filter((event) => event !== null), ...cancelled.map((one) => cancelledEvent(one, page))];
  return { text: calendarText(`${page.name} – ${page.wording.pageWords.feeds.calendar}`, all) };
};

const calendarOf = async (visit: PageVisit): Promise<PublicText> => {
  const page = await pageOf(visit);
  const shown = (maintenance: IncidentDocument) => eventOf(maintenance, page);
  const { maintenances, cancelled } = await readMaintenanceCalendar(visit.scope, visit.page, shown);
  return textOf(page, maintenances, cancelled);
};

const maintenanceOf = async (visit: PageVisit, id: string): Promise<PublicText> => {
  const found = await findMaintenanceOrCancelled(visit.scope, visit.page, id);
  if (!found) throw new NotFound('There is no such maintenance.');
  const page = await pageOf(visit);
  return textOf(
    page,
    found.maintenances.map((one) => eventOf(one, page)),
    found.cancelled,
  );
};

/** Serves maintenances to calendar programs (docs/reference/feeds.md#calendars). */
export const calendarRoutes: readonly Route[] = [
  pageRoute({
    path: '/maintenance.ics',
    summary: 'The calendar of maintenances',
    produces: [CALENDAR],
    anyHeaders: true,
    crossOrigin: true,
    answer: (visit) => publicResponse(visit, 'maintenance.ics', () => calendarOf(visit)),
  }),
  pageRoute({
    path: '/maintenances/{maintenance_id}/maintenance.ics',
    summary: 'One maintenance for calendars',
    produces: [CALENDAR],
    anyHeaders: true,
    crossOrigin: true,
    answer: (visit, { params: { maintenance_id: id = '' } }) =>
      publicResponse(visit, `maintenance.ics of ${id}`, () => maintenanceOf(visit, id)),
  }),
];
