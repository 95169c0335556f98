import type { OverviewStatistics } from './statistics.ts';
import { SHOWN_STATUSES, type OverviewCheck } from './rows.ts';

/** The fields that the overview can be sorted by. */
export const SORT_FIELDS = ['status', 'name', 'since', 'response_time', 'uptime_24h', 'uptime_30d'] as const;
export type SortField = (typeof SORT_FIELDS)[number];

/** A sort field. A minus before it means descending order. */
export type Sort = SortField | `-${SortField}`;

/** The data by which rows are sorted: the check, and its statistics if they are needed. */
export interface SortableRow {
  check: OverviewCheck;
  figures?: OverviewStatistics | undefined;
}

type Compare = (one: SortableRow, other: SortableRow) => number;

const fieldOf = (sort: Sort): SortField => (sort.startsWith('-') ? sort.slice(1) : sort) as SortField;

/** Tests whether a sort order needs the statistics of all checks. */
export const needsStatistics = (sort: Sort): boolean =>
  ['response_time', 'uptime_24h', 'uptime_30d'].includes(fieldOf(sort));

const ascending = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const byName: Compare = ({ check: one }, { check: other }) => ascending(one.sort_name, other.sort_name);
const byId: Compare = ({ check: one }, { check: other }) => ascending(one.id, other.id);

type Value = number | string | null | undefined;

/** Compares rows by values, in ascending or descending order. Rows without a value come at the end in both orders. */
const byValue =
  (valueOf: (sorted: SortableRow) => Value, direction: 1 | -1): Compare =>
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
      // Rows with the same status are ordered by the time at which the status changed, newest first.
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

/** Compares two rows. Ties are ordered by name, then by id, so that pages do not overlap. */
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
