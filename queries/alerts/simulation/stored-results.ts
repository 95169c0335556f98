import type { RecordedEventOf } from '../../../domain/event-types.ts';
import { dueAt, type ExecutionGroup } from '../../../domain/execution-group/state.ts';
import { before, later, MINUTE_MS, type Instant } from '../../../domain/time.ts';
import type { CheckResultDocument, ExcludedResultDocument } from '../../../projections/check-results/documents.ts';
import { checkResults } from '../../../projections/check-results/projection.ts';
import { executionGroups } from '../../../projections/execution-groups/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import type { Where } from '../../../stores/read-store/port.ts';

/** Events of the results log that alert rules depend on. */
export type ResultEvent = RecordedEventOf<'CheckRunCompleted' | 'ExecutionGroupStarted' | 'ExecutionGroupTimedOut'>;

/** An event, and the time at which it counts. */
export interface TimedEvent {
  at: Instant;
  event: ResultEvent;
}

export interface ResultsOptions {
  check: { id: string; organization_id: string };
  /** the first instant whose results are read */
  from: Instant;
  /** whether failures are distinguished by their reasons, which requires a read of each failed result */
  withReasons: boolean;
}

/** The fields of a result that one index contains, so that no documents are read. */
const FIELDS = ['id', 'created_at', 'status', 'region', 'response_time'] as const;
const IN_ORDER = { created_at: 1, status: 1, region: 1, response_time: 1 } as const;
const NEWEST_FIRST = { created_at: -1, status: -1, region: -1, response_time: -1 } as const;

/** A time that is longer than any run with several regions, in milliseconds. */
const LONGEST_RUN_MS = 15 * MINUTE_MS;

/** Maximum number of results in a part. */
const MOST_ROWS = 50_000;

/** Documents per query. */
const PAGE = 500;

/** Ranks of events at the same time. */
const RANKS = { ExecutionGroupStarted: 0, CheckRunCompleted: 1, ExecutionGroupTimedOut: 2 } as const;

type Row = Pick<CheckResultDocument, (typeof FIELDS)[number]>;

/**
 * Converts the stored results of a check back to the events that recorded them, oldest first, part by part. Fields that
 * alert rules do not depend on, such as error messages, are absent.
 */
export class StoredResults {
  readonly #read: Read;
  readonly #options: ResultsOptions;
  /** the first instant whose results have not been read yet */
  reached: Instant;
  /** groups that started before this time have been read */
  #groupsFrom: Instant;
  #hasGroups = false;
  /** the groups of results, by result id; only results that have not been read yet */
  readonly #groupOf = new Map<string, ExecutionGroup>();
  /** events of groups at or after {@link reached} */
  #pending: TimedEvent[] = [];
  #position = 0n;
  /** number of results that were read */
  count = 0;

  constructor(read: Read, options: ResultsOptions) {
    this.#read = read;
    this.#options = options;
    this.reached = options.from;
    this.#groupsFrom = before(options.from, LONGEST_RUN_MS);
  }

  /**
   * Returns the events from {@link reached} up to but not including `until`. If that is a very large number of events,
   * returns only the first of them. Sets {@link reached} to the end of the returned events.
   */
  async before(until: Instant): Promise<Iterable<TimedEvent>> {
    const { rows, end } = await this.#rows(until);
    const between = this.#between(end);
    await this.#readGroups(later(end, LONGEST_RUN_MS));
    const excluded = await this.#excluded(between);
    const timeouts = await this.#timeouts(between);
    const strangers = await this.#strangers(rows, excluded);
    this.reached = end;
    this.count += rows.length;
    const eventOf = (row: Row): TimedEvent => this.#resultEvent(row, excluded.get(row.id), timeouts, strangers);
    const events = {
      // Events are created only when they are needed, because keeping very many of them in memory would be slow.
      *[Symbol.iterator]() {
        for (const row of rows) yield eventOf(row);
      },
    };
    if (this.#pending.length === 0) return events;
    const all = [...this.#pending, ...events].sort(byTime);
    this.#pending = all.filter(({ at }) => at >= end);
    return all.filter(({ at }) => at < end);
  }

  #between(end: Instant): Where {
    return { check_id: this.#options.check.id, created_at: { $gte: this.reached, $lt: end } };
  }

  /** Reads the next results, without their documents. @returns `end`: the first instant that was not read */
  async #rows(until: Instant): Promise<{ rows: Row[]; end: Instant }> {
    const query = { where: this.#between(until), sort: IN_ORDER };
    const { check_results } = this.#read(checkResults);
    const rows = await check_results.pick(FIELDS, { ...query, limit: MOST_ROWS });
    const last = rows.at(-1)?.created_at;
    if (rows.length < MOST_ROWS || last === undefined) return { rows, end: until };
    // Several results can have the same time as the final one. They must be in the same part, so all are left for the
    // next part.
    const whole = rows.filter(({ created_at }) => created_at < last);
    return whole.length > 0
      ? { rows: whole, end: last }
      : { rows: await check_results.pick(FIELDS, query), end: until };
  }

  async #excluded(where: Where): Promise<Map<string, ExcludedResultDocument>> {
    const found = await this.#read(checkResults).excluded_results.find({ where, sort: { created_at: 1 } });
    return new Map(found.map((one) => [one.id, one]));
  }

  /** Ids of the results that failed because of a timeout. */
  async #timeouts(between: Where): Promise<ReadonlySet<string>> {
    if (!this.#options.withReasons) return NONE;
    const where: Where = { ...between, status: { $in: ['down', 'failed', 'error'] }, reason: 'timeout' };
    const found = await this.#read(checkResults).check_results.pick(['id'], { where, sort: IN_ORDER });
    return new Set(found.map(({ id }) => id));
  }

  async #readGroups(until: Instant): Promise<void> {
    if (until <= this.#groupsFrom) return;
    const found = await this.#read(executionGroups).execution_groups.find({
      where: { check_id: this.#options.check.id, created_at: { $gte: this.#groupsFrom, $lt: until } },
      sort: { created_at: -1 },
    });
    this.#groupsFrom = until;
    this.#hasGroups ||= found.length > 0;
    for (const group of found.reverse()) this.#enter(group);
  }

  /**
   * Adds an event to the pending events: the start of a run in several regions. If the run has timed out, also adds the
   * event of its timeout. The results of the run are not added, because they are read from their own collection.
   */
  #enter(group: ExecutionGroup): void {
    const { id: execution_group_id, organization_id, run_id, requested_regions: regions, timeout_at } = group;
    const ids = { execution_group_id, organization_id, check_id: this.#options.check.id };
    const { unserved, regional_results: results } = group;
    const hasTimedOut = group.completed_at === timeout_at;
    let startedAt = group.created_at;
    for (const { result_id, created_at } of results) {
      if (result_id === null) continue;
      this.#groupOf.set(result_id, group);
      if (created_at < startedAt) startedAt = created_at;
    }
    // A run that has timed out had waited for its unserved regions, so these regions were not known at the start of the
    // run. Therefore, the event of the start does not name them.
    const given = hasTimedOut || unserved.length === 0 ? {} : { unserved };
    const started = { ...ids, ...given, run_id, regions, timeout_at, slot: group.slot };
    const { execution_mode, execution_type } = group;
    this.#pending.push(
      this.#timed(startedAt, { type: 'ExecutionGroupStarted', data: { ...started, execution_mode, execution_type } }),
    );
    if (!hasTimedOut) return;
    this.#pending.push(
      this.#timed(dueAt(group), { type: 'ExecutionGroupTimedOut', data: { ...ids, unserved: [...unserved] } }),
    );
  }

  /**
   * Reads the group ids of results that are not in `#groupOf`. Such a result was recorded repeatedly, or its group was
   * cancelled.
   */
  async #strangers(
    rows: readonly Row[],
    excluded: ReadonlyMap<string, ExcludedResultDocument>,
  ): Promise<ReadonlyMap<string, string>> {
    const groups = new Map<string, string>();
    if (!this.#hasGroups) return groups;
    const ids = rows.map(({ id }) => id).filter((id) => !this.#groupOf.has(id) && !excluded.has(id));
    for (let first = 0; first < ids.length; first += PAGE) {
      for (const { id, execution_group_id } of await this.#read(checkResults).check_results.getMany(
        ids.slice(first, first + PAGE),
      )) {
        if (execution_group_id !== undefined) groups.set(id, execution_group_id);
      }
    }
    return groups;
  }

  #resultEvent(
    { id, created_at, status, region, response_time }: Row,
    excluded: ExcludedResultDocument | undefined,
    timeouts: ReadonlySet<string>,
    strangers: ReadonlyMap<string, string>,
  ): TimedEvent {
    const group = this.#groupOf.get(id);
    if (group) this.#groupOf.delete(id);
    const groupId = group?.id ?? excluded?.execution_group_id ?? strangers.get(id);
    const { check } = this.#options;
    const data: Record<string, unknown> = {
      result_id: id,
      check_id: check.id,
      organization_id: check.organization_id,
      // A run in one region has only one result, so the id of the result identifies the run.
      run_id: group?.run_id ?? id,
      region,
      status,
      response_time,
      error_message: null,
      reason: timeouts.has(id) ? 'timeout' : undefined,
      execution_group_id: groupId,
      definition: undefined,
    };
    if (excluded) {
      const { late, outdated, suspect } = excluded;
      Object.assign(data, { late, outdated, suspect });
    }
    return this.#timed(created_at, { type: 'CheckRunCompleted', data });
  }

  /** Creates an event with only the fields that alert rules depend on. */
  #timed(at: Instant, { type, data }: { type: ResultEvent['type']; data: object }): TimedEvent {
    this.#position += 1n;
    const event = { type, data, metadata: { recorded_at: at }, position: this.#position };
    return { at, event: event as unknown as ResultEvent };
  }
}

const NONE: ReadonlySet<string> = new Set();

const byTime = (one: TimedEvent, other: TimedEvent): number => {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  return RANKS[one.event.type] - RANKS[other.event.type];
};

/**
 * Returns the time from which results must be read to get the newest `runs` runs of a check before an instant; null if
 * the check has no earlier runs.
 */
export const startOfRuns = async (
  read: Read,
  checkId: string,
  until: Instant,
  runs: number,
): Promise<Instant | null> => {
  const where = { check_id: checkId, created_at: { $lt: until } };
  const [group] = await read(executionGroups).execution_groups.find({ where, sort: { created_at: -1 }, limit: 1 });
  const limit = runs * (group?.requested_regions.length ?? 1);
  const found = await read(checkResults).check_results.pick(['created_at'], { where, sort: NEWEST_FIRST, limit });
  return found.at(-1)?.created_at ?? null;
};
