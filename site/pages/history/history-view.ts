import { severityOf, type ComponentStatus } from '../../../domain/page/component-status.ts';
import { instantOf, type Day } from '../../../domain/time.ts';
import { calendarOf, daysInMonth, minusMonths, plusDays } from '../../../domain/uptime/days.ts';
import { pageWordsFor } from '../../../messages/page-words/index.ts';
import { prepareHtml } from '../../../messages/markdown/html-cache.ts';
import { grouped } from '../../../domain/grouped.ts';
import { componentsForVisitors } from '../../../queries/pages/visible-components.ts';
import { listIncidentsBetween, searchIncidents } from '../../../queries/pages/public-incidents.ts';
import { readUptimeByParts, type UptimeByParts } from '../../../queries/uptime/uptime-by-parts.ts';
import type { HistoryPageProps } from '../../../views/status/history-page.tsx';
import type { FrameFactory } from '../html-page.ts';
import { incidentView, LONGEST_LISTED, componentNamesById, textsOf } from '../incident-view.ts';
import type { PageVisit } from '../page-route.ts';
import { isEmpty } from '../status/bars.ts';

/** A visitor's query of the history. Every field may be empty. */
export interface HistoryQuery {
  month?: string;
  component?: string;
  impact?: string;
  q?: string;
}

const MOST_LISTED = 200;
/** Number of months that a search covers. */
const SEARCHED_MONTHS = 15;
const LONGEST_SEARCH = 100;
/** Maximum number of components whose uptime is shown for a month. */
const MOST_UPTIMES = 30;
const EARLIEST_MONTH = '1970-01';

/** Returns the view model of a month's page, or of search results. */
export const historyView = async (
  visit: PageVisit,
  query: HistoryQuery,
  framed: FrameFactory,
): Promise<HistoryPageProps> => {
  const { scope, page } = visit;
  const frame = framed({ path: 'history', title: pageWordsFor(visit.choices.language).history });
  const calendar = calendarOf(page.time_zone);
  const today = calendar.dayOf(scope.now);
  const month = monthOf(query.month, today);
  const first = `${month}-01`;
  const next = plusDays(first, daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5))));
  const { all, visible: shown } = await componentsForVisitors(scope, page);
  const search = (query.q ?? '').trim().slice(0, LONGEST_SEARCH);
  const component = shown.find(({ id, group }) => id === query.component && !group)?.id;
  const impact = query.impact === '' ? undefined : query.impact;
  const time = { until: instantOf(calendar.startOf(next)), componentId: component, impact, limit: MOST_LISTED };
  const found =
    search === ''
      ? await listIncidentsBetween(scope, page, { ...time, from: instantOf(calendar.startOf(first)) })
      : await searchIncidents(scope, page, search, {
          ...time,
          from: instantOf(calendar.startOf(minusMonths(first, SEARCHED_MONTHS - 1))),
        });
  const named = componentNamesById(all);
  const incidents = found.map((incident) => incidentView(incident, named, { most: 1, longest: LONGEST_LISTED }));
  await prepareHtml(textsOf(incidents), 4);
  const days = Array.from({ length: Number(plusDays(next, -1).slice(8)) }, (_, index) => plusDays(first, index));
  const measured = shown.filter(({ id, group, showcase }) => !group && showcase && (component ?? id) === id);
  const uptimes =
    search === ''
      ? await readUptimeByParts(scope, measured, {
          starts: days.map(calendar.startOf),
          end: calendar.startOf(next),
          timeZone: page.time_zone,
        })
      : new Map<string, UptimeByParts>();
  return {
    frame,
    month,
    days: days.map((day, index) => ({ day, status: worstOf(uptimes, index) })),
    firstWeekday: (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7,
    listed: [...grouped(incidents, ({ startedAt }) => calendar.dayOf(startedAt))].map(([day, those]) => ({
      day,
      incidents: those,
    })),
    uptimes: measured.slice(0, MOST_UPTIMES).flatMap(({ id, name }) => {
      const uptime = uptimes.get(id)?.uptime ?? null;
      return uptime === null ? [] : [{ id, name, uptime: frame.times.percentage(uptime) }];
    }),
    components: shown.filter(({ group }) => !group).map(({ id, name }) => ({ id, name })),
    filter: { component: component ?? '', impact: query.impact ?? '', search },
    older: month > EARLIEST_MONTH ? addressOf(minusMonths(first, 1).slice(0, 7), query) : null,
    newer: next <= today ? addressOf(next.slice(0, 7), query) : null,
  };
};

/** Returns the requested month if it has begun, and otherwise the current month. */
export const monthOf = (requested: string | undefined, today: Day): string => {
  const current = today.slice(0, 7);
  const isMonth = requested !== undefined && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(requested);
  return isMonth && requested >= EARLIEST_MONTH && requested <= current ? requested : current;
};

const addressOf = (month: string, { component, impact }: HistoryQuery): string => {
  const query = new URLSearchParams({ month, ...(component && { component }), ...(impact && { impact }) });
  return `?${query.toString()}`;
};

/** Returns the worst status of all components in the part of the month with this index, or null if all are unknown. */
const worstOf = (uptimes: ReadonlyMap<string, UptimeByParts>, index: number): ComponentStatus | null => {
  let worst: ComponentStatus | null = null;
  for (const { parts } of uptimes.values()) {
    const part = parts[index];
    if (!part || isEmpty(part)) continue;
    if (worst === null || severityOf(part.worst) > severityOf(worst)) worst = part.worst;
  }
  return worst;
};
