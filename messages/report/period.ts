import { firstInstantOf, lastInstantOf, type ReportPeriod } from '../../domain/report/scheduled-periods.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { calendarOf } from '../../domain/uptime/days.ts';
import { timesOf } from '../times.ts';
import { wordsFor } from '../words/index.ts';

/**
 * Returns the period of a report as text, in the report's time zone. Names only days if the period consists of whole
 * days, otherwise also times.
 */
export const periodText = ({ period_start, period_end, time_zone }: ReportPeriod & { time_zone: string }): string => {
  const calendar = calendarOf(time_zone);
  const isWhole =
    firstInstantOf(calendar.dayOf(period_start), calendar) === period_start &&
    lastInstantOf(calendar.dayOf(period_end), calendar) === period_end;
  if (!isWhole) return timesOf(wordsFor('en'), time_zone).span(period_start, period_end);
  const days = new Intl.DateTimeFormat('en', { timeZone: time_zone, dateStyle: 'medium' });
  return days.formatRange(millisecondsOf(period_start), millisecondsOf(period_end)).replace(/[\u2009\u202f]/g, ' ');
};
