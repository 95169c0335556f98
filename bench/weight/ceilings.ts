import type { Counts } from './tally.ts';

/**
 * Maximum counts. test/bench/weight.test.ts measures the counts and fails if one exceeds its maximum. Except for some
 * system calls, the counts are the same in each run. So the maximum is usually the measured count; for system calls and
 * queries, 5 to 10 % are added. Lower a maximum when a change lowers its count; raise it only for a feature that needs
 * it.
 */
export const CEILINGS: {
  /** one POST of an incident (`postCounts`), on a page without subscribers or checks */
  post: Counts;
  /** three idle seconds, after some incidents were opened */
  idle: Partial<Counts>;
} = {
  // Measured: list queries 2, documents 11, commits 4, page writes 88, write calls 102, events 1.
  post: {
    list_queries: 4,
    other_queries: 3,
    documents_read: 14,
    searches: 0,
    commits: 5,
    position_commits: 0,
    other_commits: 6,
    page_writes: 98,
    write_calls: 120,
    events: 1,
  },
  // Measured: page writes 2, all others 0.
  idle: {
    list_queries: 0,
    searches: 0,
    commits: 0,
    page_writes: 6,
    events: 0,
  },
};
