import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import type { Calendar } from '../../domain/uptime/days.ts';
import { rangeOf, type UptimeRange, type RequestedDays } from '../../domain/uptime/range.ts';
import {
  figuresOf,
  firstDayOf,
  measuring,
  NOTHING_MEASURED,
  timeSpanOf,
  type TimeSpan,
} from '../../domain/uptime/statistics.ts';
import type { MeasuredTime } from '../../domain/uptime/intervals.ts';
import type { ComponentDocument, LaneDocument } from '../../projections/components/documents.ts';
import { createExplanations, withSources, type ComponentIntervals, type UptimeInterval } from './intervals.ts';
import { readLanesBetween } from './lanes-between.ts';
import { components } from '../../projections/components/projection.ts';
import { inSlices, timeSlices } from '../../domain/concurrency/time-slices.ts';
import type { Scope } from '../engine/scope.ts';

/** See docs/reference/uptime.md#fields. */
export interface UptimeStatistics {
  id: string;
  name: string;
  /** First day of the range. `range_end` is the final day. */
  range_start: string;
  range_end: string;
  /** 0 to 100 */
  uptime_percentage: number;
  /** seconds */
  major_outage: number;
  /** seconds */
  partial_outage: number;
  /** Sentences about data that could not be taken into account. */
  warnings: string[];
  /** Ids of the incidents that affected the component. */
  related_events: { id: string[] };
  /** the intervals that the figures are computed from; only if they are requested */
  intervals?: UptimeInterval[];
  /** whether older intervals were left out; only if intervals are requested */
  truncated?: boolean;
}

export interface UptimeRequest {
  /** The days that `start` and `end` of the request stand for. */
  days: RequestedDays;
  /** Calendar in the time zone of the page. */
  calendar: Calendar;
  /** whether to return the intervals that the figures are computed from */
  explain?: boolean;
}

/** A component or group whose uptime is requested, and the days that are measured. */
interface Subject {
  component: ComponentDocument;
  range: UptimeRange;
  stretch: TimeSpan;
  members: readonly ComponentDocument[];
}

/** The measured times of a subject's members so far, in the order of the members. */
interface Tally {
  parts: MeasuredTime[];
  /** Ids of incidents that affected a member in the period, with their start. */
  related: Map<string, Instant>;
  /** the intervals of each member; empty unless they are requested */
  explained: ComponentIntervals[];
}

const emptyTally = (): Tally => ({ parts: [], related: new Map(), explained: [] });

/** A measured component, and all requested components and groups to which it contributes. */
interface Member {
  component: ComponentDocument;
  subjects: Subject[];
}

/**
 * Computes the uptime of components and groups of one page, in their order
 * (docs/reference/uptime.md#several-components). Timelines are read for a few components at a time, and measured in
 * time slices.
 *
 * @param signal aborted when the caller does not wait any more
 * @throws the reason of the signal if it is aborted
 */
export const readUptimeStatistics = async (
  { read, now }: Pick<Scope, 'read' | 'now'>,
  requested: readonly ComponentDocument[],
  { days, calendar, explain = false }: UptimeRequest,
  signal?: AbortSignal,
): Promise<UptimeStatistics[]> => {
  const members = await membersOf(requested, read);
  const today = calendar.dayOf(now);
  const unique = [...new Map(requested.map((component) => [component.id, component])).values()];
  const subjects = unique.map((component): Subject => {
    const range = rangeOf(days, today, firstDayOf(component, calendar));
    return { component, range, stretch: timeSpanOf(range, calendar, now), members: members(component) };
  });
  const tallies = new Map(subjects.map((subject): [Subject, Tally] => [subject, emptyTally()]));
  const pause = timeSlices(signal);
  const explanations = explain ? createExplanations(requested.map(({ id }) => id)) : null;
  for await (const [{ component, subjects: those }, lanes] of lanesOf(subjects, read, signal)) {
    for (const subject of those) {
      const tally = tallies.get(subject) ?? emptyTally();
      const { stretch, range } = subject;
      const explanation = explanations?.begin(subject.component.id, component, { range, stretch, calendar });
      tally.parts.push(await inSlices(measuring(lanes, stretch, component, calendar, explanation?.note), pause));
      if (explanation) tally.explained.push(explanation.end());
      noteRelated(lanes, stretch, tally.related);
    }
  }
  explanations?.finish();
  const found = new Map<string, UptimeStatistics>();
  for (const [subject, tally] of tallies) {
    const { explained } = tally;
    const statistics = oneOf(subject, tally);
    const truncated = explained.some(({ list }) => list.isTruncated);
    const intervals = explain && { intervals: (await withSources({ read }, explained, signal)).flat(), truncated };
    found.set(subject.component.id, { ...statistics, ...intervals });
  }
  return requested.flatMap(({ id }) => found.get(id) ?? []);
};

/** Reads the lanes of all members. The period covers the ranges of all subjects to which a member contributes. */
async function* lanesOf(
  subjects: readonly Subject[],
  read: Scope['read'],
  signal: AbortSignal | undefined,
): AsyncGenerator<[Member, readonly LaneDocument[]]> {
  // Ranges outside the lifetime of a component can be long. They are read separately, so that other reads stay small.
  for (const outside of [false, true]) {
    const all = byMember(subjects.filter(({ range }) => range.outside === outside));
    for (let at = 0, some = FIRST_READ; at < all.length;) {
      signal?.throwIfAborted();
      const batch = all.slice(at, at + some);
      const lanes = await lanesOfBatch(batch, read);
      let steps = 0;
      for (const member of batch) {
        const own = lanes.get(member.component.id) ?? [];
        steps += own.reduce((sum, lane) => sum + lane.steps.length, 0);
        yield [member, own];
      }
      at += some;
      some = nextRead(some, steps);
    }
  }
}

const byMember = (subjects: readonly Subject[]): Member[] => {
  const found = new Map<string, Member>();
  for (const subject of subjects) {
    for (const component of subject.members) {
      const member = found.get(component.id) ?? { component, subjects: [] };
      found.set(component.id, member);
      member.subjects.push(subject);
    }
  }
  return [...found.values()];
};

const lanesOfBatch = async (
  batch: readonly Member[],
  read: Scope['read'],
): Promise<ReadonlyMap<string, readonly LaneDocument[]>> => {
  const stretches = batch.flatMap(({ subjects }) => subjects.map(({ stretch }) => stretch));
  const from = Math.min(...stretches.map((stretch) => stretch.from));
  const to = Math.max(...stretches.map((stretch) => stretch.to));
  if (from >= to) return new Map();
  const ids = batch.map(({ component }) => component.id);
  return readLanesBetween(read(components).lanes, ids, instantOf(from), instantOf(to));
};

/** Number of components whose lanes are read together at first. `MOST_READ` is the maximum number. */
const FIRST_READ = 10;
const MOST_READ = 50;
/**
 * The number of components per read is increased if a read had fewer steps than this, and decreased if a read had more
 * steps than `MANY_STEPS` (about 1 MiB).
 */
const FEW_STEPS = 1_000;
const MANY_STEPS = 10_000;

const nextRead = (last: number, steps: number): number => {
  if (steps > MANY_STEPS) return Math.max(1, Math.floor((last * MANY_STEPS) / steps));
  return steps < FEW_STEPS ? Math.min(MOST_READ, last * 2) : last;
};

/** Returns the measured components: a component itself, or the components of a group. */
const membersOf = async (requested: readonly ComponentDocument[], read: Scope['read']) => {
  const groups = [...new Set(requested.filter(({ group }) => group).map(({ id }) => id))];
  const found =
    groups.length === 0 ? [] : await read(components).components.find({ where: { group_id: { $in: groups } } });
  return (component: ComponentDocument): readonly ComponentDocument[] =>
    component.group ? found.filter(({ group_id }) => group_id === component.id) : [component];
};

const oneOf = ({ component, range }: Subject, { parts, related }: Tally): UptimeStatistics => {
  const nothing = parts.every(({ total }) => total === 0);
  return {
    id: component.id,
    name: component.name,
    range_start: range.start,
    range_end: range.end,
    ...figuresOf(parts),
    warnings: nothing ? [...range.warnings, NOTHING_MEASURED] : range.warnings,
    related_events: { id: newestFirst(related) },
  };
};

/** Records incidents that were open during the time span, from the first update to the resolution. */
const noteRelated = (lanes: readonly LaneDocument[], { from, to }: TimeSpan, related: Map<string, Instant>): void => {
  if (from >= to) return;
  for (const { incident_id, first_update, resolved } of lanes) {
    if (incident_id === null || millisecondsOf(first_update) > to || millisecondsOf(resolved) < from) continue;
    related.set(incident_id, first_update);
  }
};

const newestFirst = (beginnings: ReadonlyMap<string, Instant>): string[] =>
  [...beginnings]
    .sort(([a, one], [b, other]) => (one === other ? (a < b ? 1 : -1) : one < other ? 1 : -1))
    .map(([id]) => id);
