import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import type { Calendar } from '../../domain/uptime/days.ts';
import { rangeOf, type Range, type SentDays } from '../../domain/uptime/range.ts';
import {
  figuresOf,
  firstDayOf,
  measured,
  NOTHING_MEASURED,
  stretchOf,
  type Stretch,
} from '../../domain/uptime/statistics.ts';
import type { ComponentDocument, LaneDocument } from '../../projections/components/documents.ts';
import { lanesBetween } from './lanes-between.ts';
import { components } from '../../projections/components/projection.ts';
import type { Scope } from '../scope.ts';

/** spec.md: Uptime statistics item. */
export interface UptimeStatistics {
  id: string;
  name: string;
  /** days */
  range_start: string;
  range_end: string;
  /** 0 to 100 */
  uptime_percentage: number;
  /** seconds */
  major_outage: number;
  /** seconds */
  partial_outage: number;
  /** what could not be taken into account */
  warnings: string[];
  /** incidents that touched the component */
  related_events: { id: string[] };
}

export interface Asked {
  /** what `start` and `end` mean */
  days: SentDays;
  /** of the page's zone */
  calendar: Calendar;
}

/** A component or group with the days that count for it, and the components whose statuses do. */
interface Subject {
  component: ComponentDocument;
  range: Range;
  stretch: Stretch;
  members: readonly ComponentDocument[];
}

/** Uptime of components and groups of one page, in their order (decisions.md: Uptime). */
export const statisticsOf = async (
  { read, now }: Pick<Scope, 'read' | 'now'>,
  asked: readonly ComponentDocument[],
  { days, calendar }: Asked,
): Promise<UptimeStatistics[]> => {
  const members = await membersOf(asked, read);
  const today = calendar.dayOf(now);
  const subjects = asked.map((component): Subject => {
    const range = rangeOf(days, today, firstDayOf(component, calendar));
    return { component, range, stretch: stretchOf(range, calendar, now), members: members(component) };
  });
  // Ranges outside the life of a component can be long, and must not make the others read that much.
  const [inside, outside] = await Promise.all(
    [false, true].map((side) =>
      lanesOf(
        subjects.filter(({ range }) => range.outside === side),
        read,
      ),
    ),
  );
  return subjects.map((subject) => {
    const lanes = (subject.range.outside ? outside : inside) ?? new Map<string, LaneDocument[]>();
    return oneOf(subject, lanes, calendar);
  });
};

/** The lanes of all members, over all their time. */
const lanesOf = async (subjects: readonly Subject[], read: Scope['read']): Promise<Map<string, LaneDocument[]>> => {
  const ids = subjects.flatMap(({ members }) => members.map(({ id }) => id));
  const from = Math.min(...subjects.map(({ stretch }) => stretch.from));
  const to = Math.max(...subjects.map(({ stretch }) => stretch.to));
  if (ids.length === 0 || from >= to) return new Map();
  return lanesBetween(read(components).lanes, ids, instantOf(from), instantOf(to));
};

/** A component counts for itself, a group through its components. */
const membersOf = async (asked: readonly ComponentDocument[], read: Scope['read']) => {
  const groups = [...new Set(asked.filter(({ group }) => group).map(({ id }) => id))];
  const found =
    groups.length === 0 ? [] : await read(components).components.find({ where: { group_id: { $in: groups } } });
  return (component: ComponentDocument): readonly ComponentDocument[] =>
    component.group ? found.filter(({ group_id }) => group_id === component.id) : [component];
};

const oneOf = (
  { component, range, stretch, members }: Subject,
  lanes: ReadonlyMap<string, readonly LaneDocument[]>,
  calendar: Calendar,
): UptimeStatistics => {
  const parts = members.map((member) => measured(lanes.get(member.id) ?? [], stretch, member, calendar));
  const nothing = parts.every(({ total }) => total === 0);
  return {
    id: component.id,
    name: component.name,
    range_start: range.start,
    range_end: range.end,
    ...figuresOf(parts),
    warnings: nothing ? [...range.warnings, NOTHING_MEASURED] : range.warnings,
    related_events: {
      id: relatedTo(
        members.flatMap(({ id }) => lanes.get(id) ?? []),
        stretch,
      ),
    },
  };
};

/** Incidents whose time from first update to resolution overlaps, newest first. */
const relatedTo = (lanes: readonly LaneDocument[], { from, to }: Stretch): string[] => {
  if (from >= to) return [];
  const beginnings = new Map<string, Instant>();
  for (const { incident_id, first_update, resolved } of lanes) {
    if (incident_id === null || millisecondsOf(first_update) > to || millisecondsOf(resolved) < from) continue;
    beginnings.set(incident_id, first_update);
  }
  const newestFirst = [...beginnings].sort(([a, one], [b, other]) =>
    one === other ? (a < b ? 1 : -1) : one < other ? 1 : -1,
  );
  return newestFirst.map(([id]) => id);
};
