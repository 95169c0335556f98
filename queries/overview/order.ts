import type { OverviewFigures } from './figures.ts';
import { SHOWN_STATUSES, type OverviewCheck } from './rows.ts';

/** By what the overview can be sorted. */
export const SORT_FIELDS = ['status', 'name', 'since', 'response_time', 'uptime_24h', 'uptime_30d'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

/** A field, with a minus in front of it for the descending order. */
export type Sort = SortField | `-${SortField}`;

/** What rows are sorted by: the checks, and their figures where the field is one of these. */
export interface Sorted {
  check: OverviewCheck;
  figures?: OverviewFigures | undefined;
}

type Compare = (one: Sorted, other: Sorted) => number;

const fieldOf = (sort: Sort): SortField => (sort.startsWith('-') ? sort.slice(1) : sort) as SortField;

/** Whether figures of all checks are needed to sort them. */
export const sortsByFigures = (sort: Sort): boolean =>
  ['response_time', 'uptime_24h', 'uptime_30d'].includes(fieldOf(sort));

const ascending = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const byName: Compare = ({ check: one }, { check: other }) => ascending(one.sort_name, other.sort_name);
const byId: Compare = ({ check: one }, { check: other }) => ascending(one.id, other.id);

type Value = number | string | null | undefined;

/** By values, in a direction; those without one come last in both. */
const byValue =
  (valueOf: (sorted: Sorted) => Value, direction: 1 | -1): Compare =>
  (one, other) => {
    const [left, right] = [valueOf(one) ?? null, valueOf(other) ?? null];
    if (left === right) return 0;
    if (left === null) return 1;
    if (right === null) return -1;
    return left < right ? -direction : direction;
  };

const rankOf = new Map<string, number>(SHOWN_STATUSES.map((status, rank) => [status, rank]));

const compareBy = (field: SortField, direction: 1 | -1): Compare[] => {
  switch (field) {
    case 'status':
      // What changed last comes first among those of a status.
      return [
        byValue(({ check }) => rankOf.get(check.status), direction),
        byValue(({ check }) => check.since, direction === 1 ? -1 : 1),
      ];
    case 'name':
      return [(one, other) => direction * byName(one, other)];
    case 'since':
      return [byValue(({ check }) => check.since, direction)];
    case 'response_time':
    case 'uptime_24h':
    case 'uptime_30d':
      return [byValue(({ figures }) => figures?.[field], direction)];
  }
};

/** Compares two rows; what is equal is in the order of names, then of ids, so pages don't overlap. */
export const orderBy = (sort: Sort): Compare => {
  const compares = [...compareBy(fieldOf(sort), sort.startsWith('-') ? -1 : 1), byName, byId];
  return (one, other) => {
    for (const compare of compares) {
      const order = compare(one, other);
      if (order !== 0) return order;
    }
    return 0;
  };
};
