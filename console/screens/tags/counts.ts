import type { Heartbeat } from '../heartbeats/source.ts';
import { LATE, stateOf } from '../heartbeats/filter.ts';
import type { Row } from '../checks/filter.ts';

/** A tag with its numbers of checks and heartbeats. */
export interface TagCounts {
  tag: string;
  checks: number;
  /** number of down checks */
  failing: number;
  heartbeats: number;
  /** number of heartbeats that are down or have an overdue ping */
  late: number;
}

/** Returns all tags with their counts, sorted by name. */
export const countsOf = (
  checks: Iterable<Pick<Row, 'tags' | 'status'>>,
  heartbeats: Iterable<Pick<Heartbeat, 'tags' | 'status'>>,
): TagCounts[] => {
  const all = new Map<string, TagCounts>();
  const of = (tag: string): TagCounts => {
    const known = all.get(tag) ?? { tag, checks: 0, failing: 0, heartbeats: 0, late: 0 };
    all.set(tag, known);
    return known;
  };
  for (const { tags, status } of checks)
    for (const tag of tags) {
      const counts = of(tag);
      counts.checks += 1;
      counts.failing += Number(status === 'down');
    }
  for (const heartbeat of heartbeats)
    for (const tag of heartbeat.tags) {
      const counts = of(tag);
      counts.heartbeats += 1;
      counts.late += Number(LATE.includes(stateOf(heartbeat)));
    }
  return [...all.values()].sort((one, other) => (one.tag < other.tag ? -1 : 1));
};

/** Replaces a tag in a list of tags, or removes it if `next` is null. */
export const withReplacedTag = (tags: readonly string[], tag: string, next: string | null): string[] => [
  ...new Set(tags.flatMap((one) => (one !== tag ? [one] : next === null ? [] : [next]))),
];

export const isTag = (text: string): boolean => /^[a-z0-9._:-]{1,50}$/.test(text);
