import { Type, type Static } from '@sinclair/typebox';
import { percentileOf } from '../../domain/check-result/response-times.ts';
import { total, type CheckHourDocument, type Tallies, type Tally } from '../../projections/check-results/hours.ts';
import { InstantOut, named, nullable } from '../schema.ts';

const amount = Type.Integer({ minimum: 0 });

/** What the runs of a check came to (decisions.md: Checks). */
export const UptimeSummary = named(
  'UptimeSummary',
  Type.Object({
    uptime_percentage: nullable(Type.Number({ minimum: 0, maximum: 100, description: 'null without a result' })),
    total_checks: amount,
    successful_checks: amount,
    failed_checks: amount,
    avg_response_time: nullable(Type.Integer({ minimum: 0, description: 'milliseconds; null without one' })),
  }),
);
export type UptimeSummary = Static<typeof UptimeSummary>;

export const UptimeHour = named('UptimeHour', Type.Object({ timestamp: InstantOut, ...UptimeSummary.properties }));
export type UptimeHour = Static<typeof UptimeHour>;

export const RegionalResponseTimes = named(
  'ResponseTimes',
  Type.Object({
    timestamp: InstantOut,
    region: Type.String(),
    average: amount,
    p95: amount,
    p99: amount,
    count: Type.Integer({ minimum: 1 }),
  }),
);
export type RegionalResponseTimes = Static<typeof RegionalResponseTimes>;

export const StatusBucket = named(
  'StatusBucket',
  Type.Object({ timestamp: InstantOut, region: Type.String(), ok: amount, down: amount, failed: amount }),
);
export type StatusBucket = Static<typeof StatusBucket>;

const talliesOf = (tallies: Tallies): Tally[] => Object.values(tallies);

/** Rounded to whole milliseconds; null without a time. */
const averageOf = ({ sum, timed }: Pick<Tally, 'sum' | 'timed'>): number | null =>
  timed === 0 ? null : Math.round(sum / timed);

const summaryOf = (hours: readonly CheckHourDocument[]): UptimeSummary => {
  const all = total(hours.flatMap(({ tallies }) => talliesOf(tallies)));
  const ok = hours.reduce((count, { tallies }) => count + (tallies.ok?.count ?? 0), 0);
  return {
    uptime_percentage: all.count === 0 ? null : Math.round((10_000 * ok) / all.count) / 100,
    total_checks: all.count,
    successful_checks: ok,
    failed_checks: all.count - ok,
    avg_response_time: averageOf(all),
  };
};

/** Figures of a time and of each hour of it that has a result, in order. */
export const uptimeOf = (
  hours: readonly CheckHourDocument[],
): { uptime_summary: UptimeSummary; uptime_data: UptimeHour[] } => ({
  uptime_summary: summaryOf(hours),
  uptime_data: inOrder(grouped(hours, ({ hour }) => hour)).map(([timestamp, group]) => ({
    timestamp,
    ...summaryOf(group),
  })),
});

/** Tallies of one bucket and region as response times; nothing where no complete answer came. */
export const responseTimesOf = (tallies: readonly Tally[]): Omit<RegionalResponseTimes, 'timestamp' | 'region'>[] => {
  const { sum, timed, times } = total(tallies);
  const [average, p95, p99] = [averageOf({ sum, timed }), percentileOf(times, 0.95), percentileOf(times, 0.99)];
  return average === null || p95 === null || p99 === null ? [] : [{ average, p95, p99, count: timed }];
};

/** What has the same key, by key. */
export const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

/** By key; keys that begin with an instant are in the order of time. */
export const inOrder = <T>(groups: ReadonlyMap<string, T>): [string, T][] =>
  [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
