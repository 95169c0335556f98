import { Type } from '@sinclair/typebox';
import type { Instant } from '../../../domain/time.ts';
import type { Call } from '../../route.ts';
import { instantIn, named } from '../../schema.ts';
import { uptimeOf } from '../../../queries/check-figures.ts';
import { UptimeHour, UptimeSummary } from '../results/figures-schema.ts';
import { hoursBetween } from '../../../queries/check-hours.ts';
import { Check } from './schema.ts';
import { DAY, datesInOrder, earlier, inOrderOfTime, later } from '../../../queries/result-filters.ts';

/** The query by which a check is shown with its uptime (decisions.md: Checks). */
export const uptimeQuery = {
  include_uptime: Type.Optional(Type.Boolean({ description: 'of the last 24 hours unless a time is named' })),
  start_date: Type.Optional(instantIn({ description: 'of the uptime' })),
  end_date: Type.Optional(instantIn({ end: true, description: 'of the uptime' })),
};

interface UptimeQuery {
  include_uptime?: boolean;
  start_date?: Instant;
  end_date?: Instant;
}

/** A check, with its uptime where that was asked for. */
export const CheckWithUptime = named(
  'CheckWithUptime',
  Type.Object({
    ...Check.properties,
    uptime_summary: Type.Optional(UptimeSummary),
    uptime_data: Type.Optional(Type.Array(UptimeHour, { description: 'by hour' })),
  }),
);

/** @throws Invalid the end of the time is before its start */
export const requireUptimeQuery = (query: UptimeQuery, now: Instant): void => {
  datesInOrder(query);
  const { include_uptime, start_date: from = '', end_date: to = now } = query;
  if (include_uptime === true) inOrderOfTime(from, to, 'end_date');
};

/** Adds to a shown check what the query asks for. */
export const includingUptime = (
  query: UptimeQuery,
  { context: { now }, read, resultsFrom }: Pick<Call<unknown, unknown, unknown>, 'context' | 'read' | 'resultsFrom'>,
): ((check: Check) => Promise<Check>) => {
  const { include_uptime, start_date, end_date } = query;
  if (include_uptime !== true) return async (check) => check;
  const to = end_date ?? now;
  const from = later(start_date ?? earlier(to, DAY), resultsFrom());
  return async (check) => ({ ...check, ...uptimeOf(await hoursBetween(read, { check_id: check.id, from, to, now })) });
};
