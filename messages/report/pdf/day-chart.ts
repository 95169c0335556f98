import type { ReportContent } from '../../../domain/report/content.ts';
import { calendarOf } from '../../../domain/uptime/days.ts';
import { bars, uptimeColor } from './charts.ts';
import { COLORS, type Sheet } from './sheet.ts';

/**
 * Possible minimum values of the uptime axis, in percent. The chart uses the greatest of these values that is not above
 * the uptime of the worst day.
 */
const FLOORS = [99, 95, 90, 80, 50, 0];

const percent = (value: number): string => `${value} %`;

/** Draws a chart of the figures or events of each day in the period. */
export const dayChart = (sheet: Sheet, content: ReportContent): void => {
  const { report_type, days, by_day, target_percentage: target } = content;
  if (report_type === 'response_time') {
    const most = Math.max(1, ...by_day.average.map(Number), ...by_day.p95.map(Number));
    const to = nice(most);
    bars(sheet, {
      title: 'Average response time by day; the line is the highest p95 of a check',
      days,
      values: by_day.average,
      marksZero: true,
      line: by_day.p95,
      from: 0,
      to,
      label: (value) => `${value.toLocaleString('en')} ms`,
      color: () => '#9db8e3',
    });
  } else if (report_type === 'uptime') {
    const worst = Math.min(100, ...by_day.uptime.filter((value) => value !== null));
    bars(sheet, {
      title: 'Uptime by day',
      days,
      values: by_day.uptime,
      marksZero: true,
      from: FLOORS.find((floor) => floor < worst) ?? 0,
      to: 100,
      label: percent,
      color: (value) => uptimeColor(value, target),
    });
  } else {
    const counts = begunBy(content);
    const most = Math.max(1, ...counts);
    bars(sheet, {
      title: 'Incidents and outages that began, by day',
      days,
      values: counts,
      marksZero: false,
      from: 0,
      to: most + (most % 2),
      label: (value) => value.toLocaleString('en'),
      color: () => COLORS.bad,
    });
  }
};

/**
 * Returns how many incidents and outages began on each day. Incidents and outages that began before the period are left
 * out.
 */
const begunBy = ({ days, time_zone, incidents, outages }: ReportContent): number[] => {
  const calendar = calendarOf(time_zone);
  const counts = new Map(days.map((day) => [day, 0]));
  for (const { started_at } of [...incidents, ...outages]) {
    const day = calendar.dayOf(started_at);
    const count = counts.get(day);
    if (count !== undefined) counts.set(day, count + 1);
  }
  return [...counts.values()];
};

/** Rounds a number up to a round number, for the end of an axis. */
const nice = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 5, 8, 10].find((one) => one * power >= value) ?? 10;
  return step * power;
};
