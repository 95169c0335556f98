import { Type } from '@sinclair/typebox';
import type { Instant } from '../../../domain/time.ts';
import type { UptimePeriod } from '../../../queries/check-results/uptime.ts';
import { requireDateOrder, requireTimeOrder } from '../../time-order.ts';
import { instantIn, namedSchema } from '../../schema.ts';
import { UptimeHour, UptimeSummary } from '../results/statistics-schema.ts';
import { Check } from './schema.ts';

/** Query parameters that request the uptime of checks (docs/reference/checks.md#list-filters). */
export const uptimeQuery = {
  include_uptime: Type.Optional(
    Type.Boolean({ description: 'Whether to include the uptime: of the last 24 hours unless a time range is given.' }),
  ),
  start_date: Type.Optional(instantIn({ description: 'Start of the time range of the uptime.' })),
  end_date: Type.Optional(instantIn({ end: true, description: 'End of the time range of the uptime.' })),
};

interface UptimeQuery {
  include_uptime?: boolean;
  start_date?: Instant;
  end_date?: Instant;
}

/** A check, with its uptime if requested. */
export const CheckWithUptime = namedSchema(
  'CheckWithUptime',
  Type.Object({
    ...Check.properties,
    uptime_summary: Type.Optional(UptimeSummary),
    uptime_data: Type.Optional(Type.Array(UptimeHour, { description: 'One item per hour.' })),
  }),
);

/** @throws Invalid if the end is before the start */
export const requireUptimeQuery = (query: UptimeQuery, now: Instant): void => {
  requireDateOrder(query);
  const { include_uptime, start_date: from = '', end_date: to = now } = query;
  if (include_uptime === true) requireTimeOrder(from, to, 'end_date');
};

/** Returns the requested time range, or null if the uptime was not requested. */
export const includedUptime = ({ include_uptime, start_date, end_date }: UptimeQuery): UptimePeriod | null =>
  include_uptime === true ? { from: start_date, to: end_date } : null;
