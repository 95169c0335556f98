import { budgetOf, rounded, type ComponentContent } from '../../domain/report/content.ts';
import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { inSlices, timeSlices, type Pause } from '../../domain/concurrency/time-slices.ts';
import { calendarOf } from '../../domain/uptime/days.ts';
import { PARTIAL_OUTAGE_WEIGHT } from '../../domain/uptime/statistics.ts';
import { measureSteps, type MeasuredTime } from '../../domain/uptime/intervals.ts';
import { phasesIn, type Phase } from '../../domain/uptime/timeline.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import { components } from '../../projections/components/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { listComponents } from '../pages/components.ts';
import { readLanesBetween } from '../uptime/lanes-between.ts';
import type { Scope } from '../engine/scope.ts';

/**
 * Number of components whose timelines are read together. It is small, because a timeline can have hundreds of steps.
 */
const AT_ONCE = 10;

interface UptimeQuery {
  from: Instant;
  /** End of the period, inclusive. */
  to: Instant;
  /** Start of each day, and end of the final day, in milliseconds since 1970. */
  bounds: readonly number[];
  target: number | null;
}

const percentage = ({ total, major, partial }: MeasuredTime): number | null =>
  total === 0 ? null : rounded((100 * (total - major - PARTIAL_OUTAGE_WEIGHT * partial)) / total);

/**
 * Computes the uptime of a page's components in a period and on each of its days (docs/reference/uptime.md#percentage).
 * The components are in the order of the page.
 */
export const readComponentUptimes = async (
  scope: Pick<Scope, 'read' | 'now'>,
  page: PageDocument,
  query: UptimeQuery,
  pause: () => Promise<void>,
): Promise<ComponentContent[]> => {
  const all = await listComponents(scope, page);
  const groups = new Map(all.filter(({ group }) => group).map(({ id, name }) => [id, name]));
  const calendar = calendarOf(page.time_zone);
  const existsFrom = ({ start_date, created_at }: ComponentDocument): number =>
    start_date === null ? millisecondsOf(created_at) : calendar.startOf(start_date);
  const figures: ComponentContent[] = [];
  const single = inOrder(all, groups);
  const yieldTurn = timeSlices();
  for (let at = 0; at < single.length; at += AT_ONCE) {
    const some = single.slice(at, at + AT_ONCE);
    const ids = some.map(({ id }) => id);
    const lanes = await readLanesBetween(scope.read(components).lanes, ids, query.from, query.to);
    for (const component of some) {
      const phases: Phase[] = [];
      for (const phase of phasesIn(lanes.get(component.id) ?? [])) {
        phases.push(phase);
        await yieldTurn();
      }
      const group = component.group_id === null ? null : (groups.get(component.group_id) ?? null);
      figures.push({
        id: component.id,
        name: component.name,
        group,
        ...(await figuresOf(phases, existsFrom(component), query, yieldTurn)),
      });
      await pause();
    }
  }
  return figures;
};

/** Sorts components in the order of the page: components without a group, and those of each group. */
const inOrder = (
  all: readonly ComponentDocument[],
  groups: ReadonlyMap<string, string>,
): readonly ComponentDocument[] =>
  all
    .filter(({ group_id }) => group_id === null || !groups.has(group_id))
    .flatMap((one) => (one.group ? all.filter(({ group_id }) => group_id === one.id) : [one]));

const figuresOf = async (
  phases: readonly Phase[],
  exists: number,
  { from, to, bounds, target }: UptimeQuery,
  yieldTurn: Pause,
): Promise<Pick<ComponentContent, 'uptime_percentage' | 'major_outage' | 'partial_outage' | 'budget' | 'by_day'>> => {
  const between = (start: number, end: number): Promise<MeasuredTime> =>
    inSlices(
      measureSteps(phases, Math.max(start, exists, millisecondsOf(from)), Math.min(end, millisecondsOf(to) + 1)),
      yieldTurn,
    );
  const measured = await between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  const uptime: (number | null)[] = [];
  for (const [index, end] of bounds.slice(1).entries()) {
    uptime.push(percentage(await between(bounds[index] ?? end, end)));
  }
  const uptime_percentage = percentage(measured);
  return {
    uptime_percentage,
    major_outage: Math.round(measured.major / 1_000),
    partial_outage: Math.round(measured.partial / 1_000),
    budget: budgetOf(uptime_percentage, target, measured.total / 1_000),
    by_day: { uptime },
  };
};
