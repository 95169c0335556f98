import { NotFound } from '../../../domain/errors.ts';
import type { ComponentStatus } from '../../../domain/page/component-status.ts';
import { calendarOf, plusDays } from '../../../domain/uptime/days.ts';
import { NOTHING_MEASURED } from '../../../domain/uptime/statistics.ts';
import type { Colour } from '../../../messages/colours.ts';
import { pageWordsFor } from '../../../messages/page-words/index.ts';
import { NO_STATE, STATE_COLOURS } from '../../../messages/state-colours.ts';
import { indicatorOf } from '../../../messages/status-indicator.ts';
import { uptimeText, type UptimeFigures } from '../../../messages/uptime-text.ts';
import { wordsFor } from '../../../messages/words/index.ts';
import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { checks } from '../../../projections/checks/projection.ts';
import { readUptime } from '../../../queries/check-results/uptime.ts';
import type { CurrentState } from '../../../queries/pages/current-state.ts';
import { readUptimeOf } from '../../../queries/uptime/uptime.ts';
import type { PageVisit } from '../page-route.ts';

/** What a badge can show. */
export const BADGE_METRICS = ['state', 'uptime', 'response_time'] as const;
export type BadgeMetric = (typeof BADGE_METRICS)[number];

/** The content of a badge. */
export interface BadgeContent {
  label: string;
  message: string;
  color: Colour;
}

/** The subject of a badge: a page, or one of its components or groups. */
export interface BadgeSubject {
  visit: PageVisit;
  state: CurrentState;
  component: ComponentDocument | null;
  /** language of the texts */
  language: string;
}

/**
 * Returns the content of a badge for a metric.
 *
 * @throws NotFound the figure does not exist, or is not visible to visitors
 */
export const badgeContentOf = async (metric: BadgeMetric, subject: BadgeSubject): Promise<BadgeContent> =>
  BADGE_CONTENTS[metric](subject);

const stateBadge = ({ visit, state, component, language }: BadgeSubject): BadgeContent => {
  const words = wordsFor(language);
  const status = component?.status ?? state.status;
  return {
    label: component?.name ?? visit.page.name,
    message: component ? words.componentStatus[status] : words.pageStatus[indicatorOf([status])],
    color: STATE_COLOURS[status].text,
  };
};

/** Number of days whose uptime is shown, including today. */
const DAYS = 90;

const uptimeBadge = async ({ visit, state, component, language }: BadgeSubject): Promise<BadgeContent> => {
  // Without `showcase`, visitors do not see a component's uptime.
  if (component && !component.showcase) throw new NotFound('Not found.');
  const subjects = component ? [component] : state.shown.filter(({ group, showcase }) => !group && showcase);
  const words = pageWordsFor(language).badges;
  const figures = await uptimeFigures(visit, subjects);
  if (!figures) return { label: words.uptime(DAYS), message: words.noData, color: NO_STATE };
  return {
    label: words.uptime(DAYS),
    message: uptimeText(figures, language),
    color: STATE_COLOURS[gradeOf(figures.uptime_percentage)].text,
  };
};

/**
 * Returns the mean uptime of components, or null if nothing was measured. The uptime of a page or group is the mean of
 * its components' uptimes.
 */
const uptimeFigures = async (
  { scope, page }: PageVisit,
  subjects: readonly ComponentDocument[],
): Promise<UptimeFigures | null> => {
  const today = calendarOf(page.time_zone).dayOf(scope.now);
  const range = { start: plusDays(today, 1 - DAYS), end: today };
  const all = (await readUptimeOf(scope, page, subjects, range)).filter(
    ({ warnings }) => !warnings.includes(NOTHING_MEASURED),
  );
  if (all.length === 0) return null;
  const mean = (of: (one: UptimeFigures) => number): number => all.reduce((sum, one) => sum + of(one), 0) / all.length;
  return {
    uptime_percentage: mean((one) => one.uptime_percentage),
    major_outage: mean((one) => one.major_outage),
    partial_outage: mean((one) => one.partial_outage),
  };
};

/**
 * Returns the status whose colour a badge uses for an uptime. An uptime of 99.9 % means nine hours of outage a year.
 */
const gradeOf = (uptime: number): ComponentStatus => {
  if (uptime >= 99.9) return 'operational';
  if (uptime >= 99) return 'degraded_performance';
  return uptime >= 95 ? 'partial_outage' : 'major_outage';
};

const responseTimeBadge = async ({ visit, component, language }: BadgeSubject): Promise<BadgeContent> => {
  if (!component?.show_response_times) throw new NotFound('Not found.');
  const average = await averageOf(visit, component);
  const words = pageWordsFor(language).badges;
  if (average === null) return { label: words.responseTime, message: words.noData, color: NO_STATE };
  const shown = new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(average);
  return { label: words.responseTime, message: `${shown}\u00a0ms`, color: STATE_COLOURS.under_maintenance.text };
};

/**
 * Returns the average response time of the last 24 hours, in milliseconds. Includes the component's check, or all
 * checks with its tag. Returns null if nothing was measured.
 *
 * @throws NotFound the component has neither a check nor a tag
 */
const averageOf = async (
  { scope, tagFigures }: PageVisit,
  { check_id, check_tag }: Pick<ComponentDocument, 'check_id' | 'check_tag'>,
): Promise<number | null> => {
  if (check_tag !== null) return (await tagFigures.responseTimes(scope, check_tag, 24)).average;
  const check = check_id === null ? null : await scope.read(checks).checks.get(check_id);
  if (check?.deleted_at !== null) throw new NotFound('Not found.');
  return (await readUptime(scope, check, {})).uptime_summary.avg_response_time;
};

const BADGE_CONTENTS: Readonly<Record<BadgeMetric, (subject: BadgeSubject) => BadgeContent | Promise<BadgeContent>>> = {
  state: stateBadge,
  uptime: uptimeBadge,
  response_time: responseTimeBadge,
};
