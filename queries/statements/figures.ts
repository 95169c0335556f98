import { NotFound } from '../../domain/errors.ts';
import type {
  StatementComponent,
  StatementDay,
  StatementFigures,
  StatementSeconds,
} from '../../domain/statement/content.ts';
import { requireStatementMonth, statementMonth } from '../../domain/statement/month.ts';
import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { calendarOf, type Calendar } from '../../domain/uptime/days.ts';
import type { TimelinePart } from '../../domain/uptime/parts.ts';
import { figuresOf } from '../../domain/uptime/statistics.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import { components } from '../../projections/components/projection.ts';
import { pages } from '../../projections/pages/projection.ts';
import type { Read } from '../../projections/readers.ts';
import { grouped } from '../../domain/grouped.ts';
import { readUptimeByParts } from '../uptime/uptime-by-parts.ts';

export interface StatementRequest {
  pageId: string;
  /** `2026-10` */
  month: string;
  /** time at which the statement is made; nothing later is measured */
  madeAt: Instant;
  /** restricts the statement to these components; absent: all of the page */
  componentIds?: ReadonlySet<string>;
}

/**
 * Computes the figures of a statement, by the same rules and the same code as the uptime of a component.
 *
 * @throws NotFound if the page does not exist, or was deleted
 * @throws Invalid if the month is malformed or in the future
 */
export const readStatementFigures = async (
  read: Read,
  { pageId, month, madeAt, componentIds }: StatementRequest,
  signal?: AbortSignal,
): Promise<StatementFigures> => {
  const page = await read(pages).pages.get(pageId);
  if (!page || page.deleted_at !== null) throw new NotFound('There is no such page.');
  const { name, time_zone } = page;
  const calendar = calendarOf(time_zone);
  requireStatementMonth(month, calendar, madeAt);
  const { starts, end } = statementMonth(month, calendar);
  const all = await read(components).components.find({
    where: { page_id: pageId },
    sort: { position: 1, name: 1 },
  });
  const groups = new Map(all.filter(({ group }) => group).map((group) => [group.id, group.name]));
  const single = inPageOrder(all).filter(({ id }) => componentIds?.has(id) ?? true);
  const measured = await readUptimeByParts(
    { read, now: madeAt },
    single,
    { starts, end, timeZone: time_zone },
    { signal },
  );
  const shown = single.flatMap((component) => {
    const parts = measured.get(component.id)?.parts ?? [];
    const group = component.group_id === null ? null : (groups.get(component.group_id) ?? null);
    return componentOf(component, group, parts, starts, calendar) ?? [];
  });
  return {
    page: { id: pageId, name, time_zone },
    month,
    from: instantOf(starts[0] ?? end),
    to: instantOf(end),
    complete: end <= millisecondsOf(madeAt),
    made_at: madeAt,
    components: shown,
  };
};

/** Returns all components without the groups. The components of a group follow each other in the place of the group. */
const inPageOrder = (all: readonly ComponentDocument[]): ComponentDocument[] => {
  const members = grouped(
    all.filter(({ group }) => !group),
    ({ group_id }) => group_id ?? '',
  );
  return all.flatMap((one) => {
    if (one.group) return members.get(one.id) ?? [];
    return one.group_id === null ? [one] : [];
  });
};

/** Returns the figures of a component; null if the component did not exist in the month. */
const componentOf = (
  { id, name }: ComponentDocument,
  group: string | null,
  parts: readonly TimelinePart[],
  starts: readonly number[],
  calendar: Calendar,
): StatementComponent | null => {
  const days = parts.filter(({ total, leftOut }) => total + leftOut > 0).length;
  if (days === 0) return null;
  const whole = sumOf(parts);
  const affected_days = parts.flatMap((part, index): StatementDay[] =>
    isAffected(part)
      ? [{ day: calendar.dayOf(instantOf(starts[index] ?? 0)), status: part.worst, ...figuresIn(part) }]
      : [],
  );
  return { id, name, group, days, ...figuresIn(whole), affected_days };
};

type Durations = Omit<TimelinePart, 'worst'>;

const sumOf = (parts: readonly TimelinePart[]): Durations => {
  const sum = { total: 0, major: 0, partial: 0, degraded: 0, leftOut: 0 };
  for (const part of parts) {
    for (const name of Object.keys(sum) as (keyof Durations)[]) sum[name] += part[name];
  }
  return sum;
};

const isAffected = ({ major, partial, degraded, leftOut }: TimelinePart): boolean =>
  major + partial + degraded + leftOut > 0;

const figuresIn = (part: Durations): StatementSeconds & { uptime_percentage: number } => {
  const { uptime_percentage, major_outage, partial_outage } = figuresOf([part]);
  return {
    uptime_percentage,
    measured: secondsIn(part.total),
    major_outage,
    partial_outage,
    degraded_performance: secondsIn(part.degraded),
    excluded: secondsIn(part.leftOut),
  };
};

const secondsIn = (milliseconds: number): number => Math.round(milliseconds / 1_000);
