import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { inSlices, timeSlices } from '../../domain/concurrency/time-slices.ts';
import { calendarOf } from '../../domain/uptime/days.ts';
import { createIntervalList, explained, type ExplainedInterval } from '../../domain/uptime/explanation.ts';
import type { Interval } from '../../domain/uptime/intervals.ts';
import { partsIn, type TimelinePart } from '../../domain/uptime/parts.ts';
import { PARTIAL_OUTAGE_WEIGHT, startOfExistence } from '../../domain/uptime/statistics.ts';
import { phasesIn } from '../../domain/uptime/timeline.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import { components } from '../../projections/components/projection.ts';
import type { Scope } from '../engine/scope.ts';
import { readLanesBetween } from './lanes-between.ts';
import { createLeavingLanesInBatch } from './leaving-lanes.ts';

/** The status of a component in parts of a period, and its total uptime. */
export interface UptimeByParts {
  /** Statuses in the order of the parts. */
  parts: readonly TimelinePart[];
  /** Total uptime from 0 to 1, by the rules of `/uptime`. Null if nothing was measured. */
  uptime: number | null;
  /** the newest intervals that the parts are computed from, in the order of time; empty unless they are requested */
  intervals: readonly ExplainedInterval[];
}

export interface PartsOptions {
  /** aborted when the caller no longer waits */
  signal?: AbortSignal | undefined;
  /** maximum number of intervals of a component; default: 0 */
  mostIntervals?: number;
}

/** Number of components per query. */
const AT_ONCE = 250;

/**
 * Computes the status of components in successive parts of a period, for example days, up to now.
 *
 * @param those components of one page, without groups
 * @param starts starts of the parts, ascending, in milliseconds since 1970
 * @param end end of the final part, in milliseconds since 1970
 * @param timeZone time zone of the page, to which `start_date` refers
 */
export const readUptimeByParts = async (
  { read, now }: Pick<Scope, 'read' | 'now'>,
  those: readonly Pick<ComponentDocument, 'id' | 'start_date' | 'created_at'>[],
  { starts, end, timeZone }: { starts: readonly number[]; end: number; timeZone: string },
  { signal, mostIntervals = 0 }: PartsOptions = {},
): Promise<ReadonlyMap<string, UptimeByParts>> => {
  const found = new Map<string, UptimeByParts>();
  const to = Math.min(end, millisecondsOf(now));
  const [from = to] = starts;
  if (from >= to) return found;
  const calendar = calendarOf(timeZone);
  const pause = timeSlices(signal);
  for (let at = 0; at < those.length; at += AT_ONCE) {
    const some = those.slice(at, at + AT_ONCE);
    const ids = some.map(({ id }) => id);
    const model = read(components).lanes;
    const lanes = await readLanesBetween(model, ids, instantOf(from), instantOf(to), createLeavingLanesInBatch(model));
    for (const component of some) {
      const phases = phasesIn(lanes.get(component.id) ?? []);
      const exists = startOfExistence(component, calendar);
      const list = mostIntervals === 0 ? null : createIntervalList(mostIntervals);
      const note = list
        ? (interval: Interval) => {
            list.add(explained(interval));
          }
        : undefined;
      const parts = await inSlices(partsIn(phases, starts, exists, to, note), pause);
      found.set(component.id, { parts, uptime: uptimeOf(parts), intervals: list?.newest() ?? [] });
    }
  }
  return found;
};

/** Returns the uptime without rounding. */
const uptimeOf = (parts: readonly TimelinePart[]): number | null => {
  const sum = (of: (part: TimelinePart) => number): number => parts.reduce((all, part) => all + of(part), 0);
  const total = sum((part) => part.total);
  if (total === 0) return null;
  return (total - sum(({ major }) => major) - PARTIAL_OUTAGE_WEIGHT * sum(({ partial }) => partial)) / total;
};
