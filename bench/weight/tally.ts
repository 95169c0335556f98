/**
 * Measures the work of a service since a point in time, with counts from its SQLite driver, the kernel, and its files.
 */
import { join } from 'node:path';
import Database from '../../stores/sqlite/driver.ts';
import { median } from '../tools/table.ts';
import { usageBelow } from './processes.ts';
import { REACTOR_LISTS, type Service, type Statements } from './service.ts';
import { countPages } from './wal.ts';

/** Counts from the SQLite driver; absent for the program of another checkout. */
export interface StatementCounts {
  /** queries on the lists of reactors, outside the thread that folds */
  list_queries?: number;
  /** queries on other collections */
  other_queries?: number;
  /** single documents that were read */
  documents_read?: number;
  /** queries of the projection engine while it folds */
  searches?: number;
  /** commits of read models */
  commits?: number;
  /** commits of read models that wrote only a position */
  position_commits?: number;
  /** commits of logs, coordination and keys */
  other_commits?: number;
}

export interface Counts extends StatementCounts {
  /**
   * system calls with which SQLite writes pages to WALs: two per page, because the header of the page is written
   * separately
   */
  page_writes: number;
  /**
   * write system calls of all processes: to files and sockets, and between threads. V8 makes hundreds or thousands of
   * calls between threads during garbage collection, even when idle.
   */
  write_calls: number;
  /** events appended to both logs */
  events: number;
}

export interface Tally {
  counts: Counts;
  /** milliseconds of CPU time of all threads of all processes */
  cpu_ms: number;
  /** `list_queries` and `other_queries` by collection */
  queries: Record<string, number>;
  /** events appended to both logs, by type */
  events: Record<string, number>;
}

const CALLS_PER_PAGE = 2;

const sumOf = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Returns the differences between two sets of counts, without unchanged counts. */
const addedTo = (before: Record<string, number>, after: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, count]) => [name, count - (before[name] ?? 0)] as const)
      .filter(([, count]) => count !== 0),
  );

/** Returns the number of events in both logs, by type. */
const eventsIn = (dataDirectory: string): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const log of ['events.db', 'results.db']) {
    const database = new Database(join(dataDirectory, log), { readonly: true, fileMustExist: true });
    try {
      const rows = database.prepare('SELECT type, count(*) FROM events JOIN kinds USING (kind) GROUP BY type').raw();
      for (const [type, count] of rows.all() as [string, number][]) counts[type] = (counts[type] ?? 0) + count;
    } finally {
      database.close();
    }
  }
  return counts;
};

const countsOf = (
  before: Statements,
  after: Statements,
  queries: Record<string, number>,
): Required<StatementCounts> => {
  const since = (slot: Exclude<keyof Statements, 'queries'>): number => after[slot] - before[slot];
  const lists = sumOf(Object.fromEntries(Object.entries(queries).filter(([name]) => REACTOR_LISTS.has(name))));
  return {
    list_queries: lists,
    other_queries: sumOf(queries) - lists,
    documents_read: since('documents'),
    searches: since('searches'),
    commits: since('commits'),
    position_commits: since('positionCommits'),
    other_commits: since('otherCommits'),
  };
};

/**
 * Starts to count.
 *
 * @returns a function that returns the work since its previous call, or since the start if it has not been called
 * before
 */
export const startTally = async (service: Service): Promise<() => Promise<Tally>> => {
  const { pid, dataDirectory, statements: askStatements } = service;
  const newPages = countPages(dataDirectory);
  let events = eventsIn(dataDirectory);
  let statements = await askStatements?.();
  // The usage is sampled last, because the service causes usage itself when it sends the counts.
  let used = usageBelow(pid);
  return async () => {
    const before = { used, statements, events };
    used = usageBelow(pid);
    const cpu_ms = used.cpu - before.used.cpu;
    const write_calls = used.writes - before.used.writes;
    const page_writes = newPages() * CALLS_PER_PAGE;
    events = eventsIn(dataDirectory);
    statements = await askStatements?.();
    const queries = addedTo(before.statements?.queries ?? {}, statements?.queries ?? {});
    const added = addedTo(before.events, events);
    used = usageBelow(pid);
    return {
      counts: {
        ...(before.statements && statements && countsOf(before.statements, statements, queries)),
        page_writes,
        write_calls,
        events: sumOf(added),
      },
      cpu_ms,
      queries,
      events: added,
    };
  };
};

const namesIn = (all: readonly object[]): string[] => [...new Set(all.flatMap((one) => Object.keys(one)))];

/**
 * Returns the median of each count. With the median, intervals in which a WAL was copied into its database, or in which
 * a once-per-minute task ran, do not affect the count.
 */
const medians = (all: readonly Record<string, number>[]): Record<string, number> =>
  Object.fromEntries(
    namesIn(all)
      .map((name) => [name, median(all.map((one) => one[name] ?? 0))] as const)
      .sort(([, one], [, other]) => other - one),
  );

/** Returns the median of several tallies. */
export const medianTally = (all: readonly Tally[]): Tally => {
  const ofCounts = medians(all.map(({ counts }) => counts as unknown as Record<string, number>));
  const [first] = all;
  if (!first) throw new Error('Nothing was measured.');
  return {
    // Lists the counts in the order in which they are declared.
    counts: Object.fromEntries(Object.keys(first.counts).map((name) => [name, ofCounts[name]])) as unknown as Counts,
    cpu_ms: median(all.map(({ cpu_ms }) => cpu_ms)),
    queries: medians(all.map(({ queries }) => queries)),
    events: medians(all.map(({ events }) => events)),
  };
};
