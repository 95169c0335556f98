import { severityOf, worstStatus } from '../../../domain/page/component-status.ts';
import { visibleComponents } from '../../../domain/page/visible-components.ts';
import { instantOf, laterOf, type Instant } from '../../../domain/time.ts';
import { calendarOf, plusDays } from '../../../domain/uptime/days.ts';
import { timeInLane } from '../../../domain/uptime/lane.ts';
import { prepareHtml } from '../../../messages/markdown/html-cache.ts';
import { indicatorOf } from '../../../messages/status-indicator.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import type { IncidentDocument } from '../../../projections/incidents/documents.ts';
import { grouped } from '../../../domain/grouped.ts';
import { listComponents } from '../../../queries/pages/components.ts';
import { findChecksDown } from '../../../queries/pages/measurements.ts';
import {
  activeIncidents,
  listIncidentsBetween,
  maintenancesUnderWay,
  upcomingMaintenances,
} from '../../../queries/pages/public-incidents.ts';
import type { BannerProps } from '../../../views/status/banner.tsx';
import type { Detail, RangeName } from '../../../views/status/components.tsx';
import type { Frame } from '../../../views/status/frame.ts';
import type { IncidentView } from '../../../views/status/incidents.tsx';
import type { PastDay } from '../../../views/status/past-incidents.tsx';
import type { StatusPageProps } from '../../../views/status/status-page.tsx';
import type { FrameFactory } from '../html-page.ts';
import { incidentView, LONGEST_LISTED, componentNamesById, textsOf } from '../incident-view.ts';
import type { PageVisit } from '../page-route.ts';
import { componentViews } from './component-views.ts';

/** Maximum number of updates of an incident on the status page. The incident's own page has all updates. */
const MOST_UPDATES = 4;
/** Number of days whose past incidents are shown. */
const PAST_DAYS = 7;
const MOST_PAST = 40;
/** Maximum number of component names in the banner. */
const MOST_NAMES = 3;

/** The details of a component that the component list shows, by template. */
const DETAILS: Readonly<Record<Frame['template'], Detail>> = { default: 'bars', compact: 'uptime', minimal: 'state' };

/** The input for the root of a status page. */
export type ShownPage = Pick<PageVisit, 'scope' | 'page' | 'tagFigures'>;

/** Returns the view model of a status page's root. */
export const statusView = async (
  visit: ShownPage,
  range: RangeName,
  framed: FrameFactory,
): Promise<StatusPageProps> => {
  const { scope, page } = visit;
  const frame = framed({ path: '' });
  const calendar = calendarOf(page.time_zone);
  const today = calendar.dayOf(scope.now);
  const [all, active, underWay, upcoming, past] = await Promise.all([
    listComponents(scope, page),
    activeIncidents(scope, page),
    maintenancesUnderWay(scope, page),
    upcomingMaintenances(scope, page),
    frame.template === 'minimal'
      ? null
      : listIncidentsBetween(scope, page, {
          from: instantOf(calendar.startOf(plusDays(today, 1 - PAST_DAYS))),
          until: instantOf(calendar.startOf(plusDays(today, 1))),
          limit: MOST_PAST,
        }),
  ]);
  const shown = visibleComponents(all);
  const open = [...active.shown, ...underWay];
  const [{ sections, list }, unconfirmed] = await Promise.all([
    componentViews(visit, frame, shown, range, DETAILS[frame.template]),
    hasUnconfirmedFailures(visit, shown, open),
  ]);
  const named = componentNamesById(all);
  const views = (incidents: readonly IncidentDocument[], most: number, longest = Infinity): IncidentView[] =>
    incidents.map((incident) => incidentView(incident, named, { most, longest }));
  const shownIncidents = {
    active: views(active.shown, MOST_UPDATES),
    underWay: views(underWay, MOST_UPDATES),
    upcoming: views(upcoming, MOST_UPDATES),
  };
  const over = past?.filter(({ resolved_at }) => resolved_at !== null);
  const days = over ? pastDays(views(over, 1, LONGEST_LISTED), shownIncidents.active, today, calendar.dayOf) : null;
  const listed = [...Object.values(shownIncidents).flat(), ...(days ?? []).flatMap(({ incidents }) => incidents)];
  await prepareHtml(textsOf(listed), 4);
  return {
    frame,
    headline: page.headline,
    description: page.page_description,
    banner: { ...bannerOf(shown, open, page.updated_at), unconfirmed },
    ...shownIncidents,
    otherActive: active.others,
    components: { ...list, sections },
    past: days,
  };
};

/** Returns the overall status, the time since which it has existed, and the affected components. */
const bannerOf = (
  shown: readonly ComponentDocument[],
  open: readonly IncidentDocument[],
  pageUpdated: Instant,
): Omit<BannerProps, 'unconfirmed'> => {
  const leaves = shown.filter(({ group }) => !group);
  const worst = worstStatus(leaves.map(({ status }) => status));
  const affected = leaves
    .filter(({ status }) => status !== 'operational')
    .sort((a, b) => severityOf(b.status) - severityOf(a.status));
  const beginnings = [
    ...affected.map(({ status_set }) => timeInLane(status_set.moment)),
    ...open.map((incident) => incident.incident_updates.at(-1)?.created_at ?? incident.created_at),
  ];
  const changes = [...leaves.map(({ updated_at }) => updated_at), ...open.map(({ updated_at }) => updated_at)];
  return {
    indicator: indicatorOf([worst]),
    affected: affected.slice(0, MOST_NAMES).map(({ name }) => name),
    more: Math.max(0, affected.length - MOST_NAMES),
    since: affected.length === 0 ? null : (beginnings.toSorted()[0] ?? null),
    updated: changes.reduce(laterOf, pageUpdated),
  };
};

/**
 * Returns whether checks report a failure that the page's authors have not confirmed: a check of a component is down,
 * but the declared status of the component is operational and no open incident names it. Always false if the page does
 * not show measurements.
 */
const hasUnconfirmedFailures = async (
  { scope, page, tagFigures }: ShownPage,
  shown: readonly ComponentDocument[],
  open: readonly IncidentDocument[],
): Promise<boolean> => {
  if (!page.show_measurements) return false;
  const named = new Set(open.flatMap(({ component_ids }) => component_ids));
  const unnamed = shown.filter(({ id, status }) => status === 'operational' && !named.has(id));
  const down = await findChecksDown(scope, [...new Set(unnamed.flatMap(({ check_id }) => check_id ?? []))]);
  if (down.size > 0) return true;
  const tags = [...new Set(unnamed.flatMap(({ check_tag }) => check_tag ?? []))];
  return tags.length > 0 && tagFigures.anyDown(scope, tags);
};

/**
 * Returns the most recent days, newest first, each with the ended incidents that began on that day. Leaves out a day if
 * no incident began on it, but an incident from an earlier day was still active. Otherwise, the page would describe it
 * as a day without incidents.
 */
const pastDays = (
  over: readonly IncidentView[],
  active: readonly IncidentView[],
  today: string,
  dayOf: (at: Instant) => string,
): PastDay[] => {
  const byDay = grouped(over, ({ startedAt }) => dayOf(startedAt));
  const lasting = [...over, ...active].map(({ startedAt, resolvedAt }) => ({
    first: dayOf(startedAt),
    last: resolvedAt === null ? today : dayOf(resolvedAt),
  }));
  return Array.from({ length: PAST_DAYS }, (_, index) => plusDays(today, -index)).flatMap((day) => {
    const began = byDay.get(day) ?? [];
    const isQuiet = !lasting.some(({ first, last }) => first <= day && day <= last);
    return began.length > 0 || isQuiet ? [{ day, incidents: began }] : [];
  });
};
