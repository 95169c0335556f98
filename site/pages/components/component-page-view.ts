import { NotFound } from '../../../domain/errors.ts';
import { visibleComponents } from '../../../domain/page/visible-components.ts';
import { instantOf } from '../../../domain/time.ts';
import { calendarOf } from '../../../domain/uptime/days.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { grouped } from '../../../domain/grouped.ts';
import { listComponents } from '../../../queries/pages/components.ts';
import { responseTimesOf } from './response-times.ts';
import { listIncidentsBetween } from '../../../queries/pages/public-incidents.ts';
import { readUptimeByParts } from '../../../queries/uptime/uptime-by-parts.ts';
import type { ComponentPageProps, DayRow } from '../../../views/status/component-page.tsx';
import type { IncidentView } from '../../../views/status/incidents.tsx';
import type { IntervalRow } from '../../../views/status/uptime-intervals.tsx';
import type { ExplainedInterval } from '../../../domain/uptime/explanation.ts';
import { laneOf } from '../../../queries/uptime/intervals.ts';
import type { FrameFactory } from '../html-page.ts';
import { incidentView } from '../incident-view.ts';
import type { PageVisit } from '../page-route.ts';
import { barScale, barsOver, isEmpty } from '../status/bars.ts';
import { barRange } from '../status/ranges.ts';

/** Maximum number of incidents that the table of days names. */
const MOST_NAMED = 200;
/** Maximum number of listed intervals. If there are more, the newest ones are listed. */
const MOST_INTERVALS = 100;

/** Returns the view model of a component's page. @throws NotFound */
export const componentPageView = async (
  visit: PageVisit,
  id: string,
  framed: FrameFactory,
): Promise<ComponentPageProps> => {
  const { scope, page } = visit;
  const shown = visibleComponents(await listComponents(scope, page));
  const component = shown.find((one) => one.id === id && !one.group);
  if (!component) throw new NotFound('Not found.');
  const frame = framed({
    path: `components/${id}`,
    title: component.name,
    about: { kind: 'component', id, name: component.name },
  });
  const { name, description, status, group_id, showcase } = component;
  const group = shown.find((one) => one.id === group_id);
  return {
    frame,
    id,
    name,
    description,
    status,
    group: group ? { id: group.id, name: group.name } : null,
    history: showcase ? await historyOf(visit, component, frame) : null,
    responseTimes: await responseTimesOf(visit, component),
  };
};

const historyOf = async (
  { scope, page }: PageVisit,
  component: ComponentDocument,
  frame: ComponentPageProps['frame'],
): Promise<ComponentPageProps['history']> => {
  const range = barRange('90d', scope.now, page.time_zone);
  const calendar = calendarOf(page.time_zone);
  const [uptimes, incidents] = await Promise.all([
    readUptimeByParts(
      scope,
      [component],
      { ...range, timeZone: page.time_zone },
      // Read one interval more than the page shows, to find out whether there are older ones.
      { mostIntervals: MOST_INTERVALS + 1 },
    ),
    listIncidentsBetween(scope, page, {
      from: instantOf(range.starts[0] ?? 0),
      until: instantOf(range.end),
      componentId: component.id,
      limit: MOST_NAMED,
    }),
  ]);
  const uptime = uptimes.get(component.id);
  if (!uptime) return null;
  const views = incidents.map((incident) => incidentView(incident, new Map(), { most: 0 }));
  const begun = grouped(views, ({ startedAt }) => calendar.dayOf(startedAt));
  const { words, times } = frame;
  return {
    bars: barsOver(range, frame)(uptime),
    scale: barScale(range),
    uptime: uptime.uptime === null ? words.components.noData : words.components.uptime(times.percentage(uptime.uptime)),
    from: words.components.daysAgo(range.starts.length),
    intervals: {
      intervals: uptime.intervals.slice(-MOST_INTERVALS).reverse().map(intervalRow(views)),
      isTruncated: uptime.intervals.length > MOST_INTERVALS,
    },
    days: uptime.parts
      .map((part, index): DayRow => {
        const day = calendar.dayOf(instantOf(range.starts[index] ?? 0));
        return {
          day,
          status: isEmpty(part) ? null : part.worst,
          major: part.major / 1_000,
          partial: part.partial / 1_000,
          incidents: begun.get(day) ?? [],
        };
      })
      .reverse(),
  };
};

/**
 * Returns a function that creates the row of an interval. The row names the incident of the interval if the page lists
 * that incident.
 */
const intervalRow = (incidents: readonly IncidentView[]) => {
  const byId = new Map(incidents.map((incident) => [incident.id, incident]));
  return ({ from, to, status, set_by, excluded }: ExplainedInterval): IntervalRow => {
    const by = excluded ? excluded.by : set_by;
    const lane = by && laneOf(by);
    return {
      from: instantOf(from),
      to: instantOf(to),
      length: (to - from) / 1_000,
      status: excluded ? 'under_maintenance' : (status ?? 'operational'),
      source: lane?.source ?? null,
      incident: byId.get(lane?.incident_id ?? '') ?? null,
      isExcluded: excluded !== null,
    };
  };
};
