import { timeSlices, type Pause } from '../../domain/concurrency/time-slices.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import type { Calendar } from '../../domain/uptime/days.ts';
import type { ExclusionRule } from '../../domain/uptime/exclusion-rules.ts';
import { createIntervalList, type IntervalList, explained, unmeasuredIn } from '../../domain/uptime/explanation.ts';
import { fairShareOf } from '../../domain/uptime/fair-share.ts';
import type { Interval } from '../../domain/uptime/intervals.ts';
import type { MergedStep } from '../../domain/uptime/merged-lanes.ts';
import type { UptimeRange } from '../../domain/uptime/range.ts';
import { wholeSpanOf, type TimeSpan } from '../../domain/uptime/statistics.ts';
import type { ComponentDocument, LaneDocument } from '../../projections/components/documents.ts';
import { components } from '../../projections/components/projection.ts';
import type { Scope } from '../engine/scope.ts';

/** The source of a status, for example an update of an incident. */
export interface IntervalSource {
  kind: 'incident' | 'edit' | 'creation' | 'alert';
  /** when the status took effect */
  at: Instant;
  /** null for sources other than incidents */
  incident_id: string | null;
  /** null also for a change of the incident's status without an update */
  incident_update_id: string | null;
  /** the alert that set the status of the component; null for other sources */
  alert_id: string | null;
}

/** See docs/reference/uptime.md#intervals. */
export interface UptimeInterval {
  component_id: string;
  from: Instant;
  to: Instant;
  status: ComponentStatus | null;
  source: IntervalSource | null;
  excluded: { rule: ExclusionRule; source: IntervalSource | null } | null;
}

/** The intervals of a component, collected while its figures are computed. */
export interface ComponentIntervals {
  component_id: string;
  list: IntervalList;
}

/**
 * Maximum number of intervals of one component. `MOST_INTERVALS_IN_ALL` is the maximum for all components of a request.
 */
export const MOST_INTERVALS = 1_000;
export const MOST_INTERVALS_IN_ALL = 10_000;

/** Collects the intervals of one component while it is measured. */
interface Explanation {
  /** receives each measured interval */
  note: (interval: Interval) => void;
  /** Returns the collected intervals. Call this after the component was measured. */
  end: () => ComponentIntervals;
}

/** The requested days, and the measured time span within them. */
interface MeasuredRange {
  range: UptimeRange;
  stretch: TimeSpan;
  calendar: Calendar;
}

/**
 * Collects the intervals of all components of a request, within the limits for one component and for the request. If
 * the limit for the request is reached, components with few intervals keep all of them, and the others keep equally
 * many.
 *
 * @param requested ids in the request; an id that occurs several times occurs as often in the response
 */
export const createExplanations = (requested: readonly string[]) => {
  const collected: { list: IntervalList; times: number }[] = [];
  let stored = 0;
  const copies = new Map<string, number>();
  for (const id of requested) copies.set(id, (copies.get(id) ?? 0) + 1);
  const share = (): void => {
    const sizes = collected.map(({ list, times }) => ({ count: list.newest().length, times }));
    const most = fairShareOf(sizes, MOST_INTERVALS_IN_ALL);
    for (const { list } of collected) list.limitTo(most);
    stored = sizes.reduce((sum, { count, times }) => sum + times * Math.min(count, most), 0);
  };
  return {
    /** @param id the requested component or group; `component` is this component, or one of the group's components */
    begin: (id: string, component: ComponentDocument, { range, stretch, calendar }: MeasuredRange): Explanation => {
      const times = copies.get(id) ?? 1;
      const list = createIntervalList(MOST_INTERVALS);
      const { before, after } = unmeasuredIn(wholeSpanOf(range, calendar), stretch.to, component, calendar);
      before.forEach(list.add);
      return {
        note: (interval) => {
          list.add(explained(interval));
        },
        end: () => {
          after.forEach(list.add);
          collected.push({ list, times });
          stored += list.newest().length * times;
          // The share of a component only shrinks as components are added. So intervals that do not fit now are dropped
          // early, which bounds the memory.
          if (stored > 2 * MOST_INTERVALS_IN_ALL) share();
          return { component_id: component.id, list };
        },
      };
    },
    /** Drops the intervals that exceed the limit for the request. Call this after all components were measured. */
    finish: share,
  };
};

/** Number of incidents whose facts are read together. An incident can have hundreds of facts. */
const INCIDENTS_AT_ONCE = 20;
/** Number of intervals that are built without a pause. */
const BUILT_AT_ONCE = 200;

/** Returns intervals with the sources of their statuses. Reads only the incidents to which the intervals refer. */
export const withSources = async (
  { read }: Pick<Scope, 'read'>,
  all: readonly ComponentIntervals[],
  signal?: AbortSignal,
): Promise<UptimeInterval[][]> => {
  const pause = timeSlices(signal);
  const updateOf = await updatesOf(read, all, pause);
  const shown: UptimeInterval[][] = [];
  for (const { component_id, list } of all) {
    const source = (by: MergedStep | null): IntervalSource | null => by && sourceOf(by, updateOf);
    const built: UptimeInterval[] = [];
    for (const { from, to, status, set_by, excluded } of list.newest()) {
      built.push({
        component_id,
        from: instantOf(from),
        to: instantOf(to),
        status,
        source: source(set_by),
        excluded: excluded && { rule: excluded.rule, source: source(excluded.by) },
      });
      if (built.length % BUILT_AT_ONCE === 0) await pause();
    }
    shown.push(built);
    await pause();
  }
  return shown;
};

type UpdateOf = (incidentId: string, order: string) => string | null;

/**
 * Finds the incident updates that caused the steps in intervals. A step has the same `order` as the fact of the
 * incident that caused the step.
 */
const updatesOf = async (read: Scope['read'], all: readonly ComponentIntervals[], pause: Pause): Promise<UpdateOf> => {
  const wanted = new Map<string, Set<string>>();
  for (const { list } of all) {
    for (const { set_by, excluded } of list.newest()) {
      for (const by of [set_by, excluded?.by]) {
        const id = by && laneOf(by).incident_id;
        if (!id) continue;
        const orders = wanted.get(id) ?? new Set<string>();
        wanted.set(id, orders.add(by.step.order));
      }
    }
    await pause();
  }
  const found = new Map<string, string | null>();
  const ids = [...wanted.keys()];
  for (let first = 0; first < ids.length; first += INCIDENTS_AT_ONCE) {
    const timelines = await read(components).timelines.getMany(ids.slice(first, first + INCIDENTS_AT_ONCE));
    for (const { id, facts } of timelines) {
      for (const { order, update_id } of facts) if (wanted.get(id)?.has(order)) found.set(`${id}/${order}`, update_id);
    }
    await pause();
  }
  return (incidentId, order) => found.get(`${incidentId}/${order}`) ?? null;
};

/** Returns the lane of a step. The cast is safe, because these queries read all lanes from documents. */
export const laneOf = ({ lane }: MergedStep): LaneDocument => lane as LaneDocument;

const sourceOf = (by: MergedStep, updateOf: UpdateOf): IntervalSource => {
  const { source, id, component_id, incident_id } = laneOf(by);
  const { at, order } = by.step;
  return {
    kind: source === 'hold' ? 'alert' : source,
    // Intervals are computed in milliseconds, and begin when their source took effect.
    at: instantOf(millisecondsOf(at)),
    incident_id,
    incident_update_id: incident_id && updateOf(incident_id, order),
    // The id of a hold's lane is `{holder}={component_id}`.
    alert_id: source === 'hold' ? id.slice(0, -component_id.length - 1) : null,
  };
};
