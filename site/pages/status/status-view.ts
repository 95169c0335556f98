import { severityOf, worstStatus } from '../../../domain/page/component-status.ts';
import { visibleComponents } from '../../../domain/page/visible.ts';
import { instantOf, laterOf, type Instant } from '../../../domain/time.ts';
import { calendarOf, plusDays } from '../../../domain/uptime/days.ts';
import { timeIn } from '../../../domain/uptime/lane.ts';
import { prepareHtml } from '../../../messages/markdown/remembered.ts';
import { indicatorOf } from '../../../messages/status-indicator.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import type { IncidentDocument } from '../../../projections/incidents/documents.ts';
import { grouped } from '../../../queries/engine/grouped.ts';
import { listComponents } from '../../../queries/pages/components.ts';
import {
  activeIncidents,
  incidentsBetween,
  maintenancesUnderWay,
  upcomingMaintenances,
} from '../../../queries/pages/public-incidents.ts';
import { uptimeInParts } from '../../../queries/uptime/parts.ts';
import type { BannerProps } from '../../../views/status/banner.tsx';
import type { ComponentView, GroupView, RangeName } from '../../../views/status/components.tsx';
import type { IncidentView } from '../../../views/status/incidents.tsx';
import type { PastDay } from '../../../views/status/past.tsx';
import type { StatusPageProps } from '../../../views/status/status-page.tsx';
import { frameOf } from '../frame.ts';
import { incidentView, type Visible } from '../incident-view.ts';
import type { PageVisit } from '../page-route.ts';
import { barsOver } from './bars.ts';
import { barRange } from './ranges.ts';

/** Updates of an incident that the page shows; its own page has all. */
const MOST_UPDATES = 4;
/** Days of past incidents. */
const PAST_DAYS = 7;
const MOST_PAST = 40;
/** Names of components in the banner. */
const MOST_NAMES = 3;

/** Everything that the root of a status page shows. */
export const statusView = async (visit: PageVisit, rangeName: RangeName): Promise<StatusPageProps> => {
  const { scope, page } = visit;
  const frame = frameOf(visit);
  const { words } = frame;
  const calendar = calendarOf(page.time_zone);
  const today = calendar.dayOf(scope.now);
  const firstDay = plusDays(today, 1 - PAST_DAYS);
  const [all, active, underWay, upcoming, past] = await Promise.all([
    listComponents(scope, page),
    activeIncidents(scope, page),
    maintenancesUnderWay(scope, page),
    upcomingMaintenances(scope, page),
    incidentsBetween(scope, page, {
      from: instantOf(calendar.startOf(firstDay)),
      until: instantOf(calendar.startOf(plusDays(today, 1))),
      limit: MOST_PAST,
    }),
  ]);
  const shown = visibleComponents(all);
  const visible: Visible = new Map(all.map((one) => [one.id, one]));
  const range = barRange(rangeName, scope.now, page.time_zone);
  const showcased = shown.filter(({ group, showcase }) => !group && showcase);
  const uptime = await uptimeInParts(scope, showcased, { ...range, timeZone: page.time_zone });
  const barsOf = barsOver(range, frame, page.time_zone);
  const componentView = (component: ComponentDocument): ComponentView => {
    const { id, name, description, status } = component;
    const found = uptime.get(id);
    const percentage = found?.uptime ?? null;
    return {
      id,
      name,
      description,
      status,
      history: found
        ? {
            bars: barsOf(id, found),
            uptime:
              percentage === null
                ? words.components.noData
                : words.components.uptime(frame.times.percentage(percentage)),
          }
        : null,
      measured: null,
    };
  };
  const views = (incidents: readonly IncidentDocument[], most = MOST_UPDATES): IncidentView[] =>
    incidents.map((incident) => incidentView(incident, visible, most));
  const [activeViews, underWayViews, upcomingViews] = [active.shown, underWay, upcoming].map((some) => views(some));
  const over = past.filter(({ resolved_at }) => resolved_at !== null);
  const days = pastDays(views(over, 1), { today, dayOf: calendar.dayOf });
  await prepareHtml(
    textsOf([
      ...(activeViews ?? []),
      ...(underWayViews ?? []),
      ...(upcomingViews ?? []),
      ...days.flatMap(({ incidents }) => incidents),
    ]),
    4,
  );
  return {
    frame,
    headline: page.headline,
    description: page.page_description,
    banner: bannerOf(shown, [...active.shown, ...underWay], page.updated_at),
    active: activeViews ?? [],
    otherActive: active.others,
    underWay: underWayViews ?? [],
    upcoming: upcomingViews ?? [],
    components: {
      range: rangeName,
      sections: sectionsOf(shown, componentView),
      from: range.name === '24h' ? words.components.hoursAgo(24) : words.components.daysAgo(DAYS_OF[range.name]),
      until: range.days ? words.components.today : words.components.now,
    },
    barCount: range.starts.length,
    past: days,
  };
};

const DAYS_OF = { '7d': 7, '30d': 30, '90d': 90 } as const;

const textsOf = (incidents: readonly IncidentView[]): string[] =>
  incidents.flatMap(({ updates }) => updates.map(({ body }) => body).filter((body) => body !== ''));

/** Groups with their components, and components of no group, in the order of the page. */
const sectionsOf = (
  shown: readonly ComponentDocument[],
  view: (component: ComponentDocument) => ComponentView,
): (GroupView | ComponentView)[] => {
  const members = grouped(
    shown.filter(({ group }) => !group),
    ({ group_id }) => group_id ?? '',
  );
  return shown.flatMap((one): (GroupView | ComponentView)[] => {
    if (!one.group) return one.group_id === null ? [view(one)] : [];
    const { id, name, description, status } = one;
    return [{ id, name, description, status, components: (members.get(id) ?? []).map(view) }];
  });
};

/** How everything is, since when, and what is affected. */
const bannerOf = (
  shown: readonly ComponentDocument[],
  open: readonly IncidentDocument[],
  pageUpdated: Instant,
): BannerProps => {
  const leaves = shown.filter(({ group }) => !group);
  const worst = worstStatus(leaves.map(({ status }) => status));
  const affected = leaves
    .filter(({ status }) => status !== 'operational')
    .sort((a, b) => severityOf(b.status) - severityOf(a.status));
  const beginnings = [
    ...affected.map(({ status_set }) => timeIn(status_set.moment)),
    ...open.map((incident) => incident.incident_updates.at(-1)?.created_at ?? incident.created_at),
  ];
  const changes = [...leaves.map(({ updated_at }) => updated_at), ...open.map(({ updated_at }) => updated_at)];
  return {
    indicator: indicatorOf([worst]),
    affected: affected.slice(0, MOST_NAMES).map(({ name }) => name),
    more: Math.max(0, affected.length - MOST_NAMES),
    since: affected.length === 0 ? null : (beginnings.toSorted()[0] ?? null),
    updated: changes.reduce(laterOf, pageUpdated),
    unconfirmed: false,
  };
};

/** The last days, the newest first, with what began on each. */
const pastDays = (
  incidents: readonly IncidentView[],
  { today, dayOf }: { today: string; dayOf: (instant: Instant) => string },
): PastDay[] => {
  const byDay = grouped(incidents, ({ startedAt }) => dayOf(startedAt));
  return Array.from({ length: PAST_DAYS }, (_, index) => {
    const day = plusDays(today, -index);
    return { day, incidents: byDay.get(day) ?? [] };
  });
};
