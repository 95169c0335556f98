import { grouped } from '../../../domain/grouped.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { later, MINUTE_MS, type Instant } from '../../../domain/time.ts';
import { checkActivity } from '../../check-activity/projection.ts';
import { checkResults } from '../../check-results/projection.ts';
import { checks } from '../../checks/projection.ts';
import type { FoldedModel } from '../past-read.ts';
import { isResultOf, streamsOfRegion } from './check-results.ts';
import { foldEvents, type Loaded, type ResultSources, type ResultsMoment } from './loads.ts';
import { findRange, readRange, sizeOfRange } from './stream-range.ts';

/** A result that determines when a check last ran, unless it was recorded after the moment. */
interface Candidate {
  id: string;
  created_at: Instant;
}

interface SearchedCheck {
  id: string;
  /** newest first */
  candidates: readonly Candidate[];
  /** whether no other result can determine when the check last ran */
  isComplete: boolean;
  /** streams of the regions of its newest results */
  streams: ReadonlySet<string>;
}

/** Number of candidates that are tried for a check. Few results are recorded long after they were obtained. */
const MOST_CANDIDATES = 3;
/** Numbers of newest results among which candidates are searched. Many are passed over only if they do not count. */
const SEARCHED = [8, 256, 4_096] as const;
const FIELDS = ['id', 'created_at', 'region'] as const;
/** This order and these fields are in one index. */
const NEWEST_FIRST = { created_at: -1, status: -1, region: -1, response_time: -1 } as const;
/** Longer than the time after which a result that counts for the activity of its check is recorded, with exceptions. */
const RECORDED_WITHIN_MS = 5 * MINUTE_MS;

/**
 * Loads the newest results of checks at a moment. The read model `check_results` shows where they are in the log: the
 * newest one that counts, and those recorded soon afterwards, determine when a check last ran, whatever came before.
 * Hours and older results are not loaded.
 */
export const loadCheckActivity = async (
  sources: ResultSources,
  moment: ResultsMoment,
  ids: readonly string[],
): Promise<Loaded> => {
  const unknown = new Set<string>();
  const searched: SearchedCheck[] = [];
  const existing = await moment.past(checks).checks.getMany(ids);
  for (const { id, created_at } of existing) {
    const check = await searchCandidates(moment, id);
    // The results before the retention period have been removed.
    const isRetained = created_at >= moment.retainedFrom;
    if (check === null || (check.candidates.length === 0 && !isRetained)) unknown.add(id);
    else if (check.candidates.length > 0) searched.push({ ...check, isComplete: check.isComplete && isRetained });
  }
  const models = new Map<string, FoldedModel>();
  let left = sources.limits.read;
  let missing: readonly SearchedCheck[] = searched;
  let folded = 0;
  for (let tried = 0; tried < MOST_CANDIDATES && missing.length > 0; tried++) {
    const read = await readNewest(sources, moment, missing, tried, left);
    left -= read.examined;
    for (const { id, candidates, isComplete } of missing) {
      const events = read.events.get(id) ?? [];
      const isFound = events.some(({ data }) => resultIdOf(data) === candidates[tried]?.id);
      // Without any result that was recorded by the moment, the check had not run.
      const isDetermined = isFound || (isComplete && tried === candidates.length - 1);
      if (!isDetermined || !read.complete.has(id)) continue;
      models.set(id, await foldEvents(checkActivity, events, sources.openStore));
      folded += events.length;
    }
    missing = missing.filter(({ id, candidates }) => !models.has(id) && candidates.length > tried + 1);
  }
  for (const { id } of searched) if (!models.has(id)) unknown.add(id);
  return { models, unknown, events: folded };
};

const resultIdOf = (data: object): string | undefined => (data as { result_id?: string }).result_id;

/** Returns the newest results of a check that count. Null: too many newer results do not count. */
const searchCandidates = async (
  { present, at, retainedFrom }: ResultsMoment,
  check_id: string,
): Promise<SearchedCheck | null> => {
  const { check_results, excluded_results } = present(checkResults);
  const where = { check_id, created_at: { $gte: retainedFrom, $lte: at } };
  for (const limit of SEARCHED) {
    const rows = await check_results.pick(FIELDS, { where, sort: NEWEST_FIRST, limit });
    const excluded = new Set((await excluded_results.getMany(rows.map(({ id }) => id))).map(({ id }) => id));
    const counting = rows.filter(({ id }) => !excluded.has(id));
    if (counting.length === 0 && rows.length === limit) continue;
    const candidates = counting.slice(0, MOST_CANDIDATES);
    const isComplete = rows.length < limit && counting.length === candidates.length;
    return {
      id: check_id,
      candidates,
      isComplete,
      streams: new Set(rows.flatMap(({ region }) => streamsOfRegion(region))),
    };
  }
  return null;
};

interface Period {
  from: Instant;
  until: Instant;
  checks: string[];
}

interface NewestEvents {
  events: ReadonlyMap<string, RecordedEvent[]>;
  /** checks whose periods were read in all of their streams */
  complete: ReadonlySet<string>;
  /** number of events that were examined */
  examined: number;
}

/** Reads the results of checks from their candidate number `tried` on, newest periods first, within a limit. */
const readNewest = async (
  { results, limits }: ResultSources,
  moment: ResultsMoment,
  searched: readonly SearchedCheck[],
  tried: number,
  most: number,
): Promise<NewestEvents> => {
  const { at } = moment;
  const wanted = searched.flatMap(({ id, candidates, streams }) => {
    const { created_at: from } = candidates[tried] ?? { created_at: at };
    const until = later(from, RECORDED_WITHIN_MS);
    return [...streams].map((stream) => ({ id, stream, from, until: until < at ? until : at }));
  });
  const events = new Map<string, RecordedEvent[]>();
  const complete = new Set(searched.map(({ id }) => id));
  let examined = 0;
  let count = 0;
  for (const [stream, ofStream] of grouped(wanted, ({ stream: name }) => name)) {
    for (const { from, until, checks: ids } of joined(ofStream)) {
      const among = new Set(ids);
      const range = await findRange(results, stream, { from, until });
      if (range && examined + sizeOfRange(range) > most) {
        for (const id of ids) complete.delete(id);
        continue;
      }
      examined += range ? sizeOfRange(range) : 0;
      const isWanted = (event: RecordedEvent): boolean => isResultOf(among, moment, event);
      const found = range ? await readRange(results, range, isWanted, { most: limits.folded - count }) : [];
      if (found === null) {
        for (const id of ids) complete.delete(id);
        continue;
      }
      count += found.length;
      for (const event of found) {
        const { check_id = '' } = event.data as { check_id?: string };
        const known = events.get(check_id);
        if (known) known.push(event);
        else events.set(check_id, [event]);
      }
    }
  }
  return { events, complete, examined };
};

/** Joins overlapping periods, newest first. */
const joined = (periods: readonly { id: string; from: Instant; until: Instant }[]): Period[] => {
  const all: Period[] = [];
  for (const { id, from, until } of [...periods].sort((one, other) => (one.from < other.from ? 1 : -1))) {
    const newer = all.at(-1);
    if (newer && newer.from <= until) {
      newer.from = from;
      newer.checks.push(id);
    } else all.push({ from, until, checks: [id] });
  }
  return all;
};
