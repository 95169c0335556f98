import { LRUCache } from 'lru-cache';
import { createMutex } from '../../../domain/concurrency/mutex.ts';
import { publicNameOf } from '../../../domain/heartbeat/identity.ts';
import { before, CLOCKS_DIFFER_MS, HOUR_MS, millisecondsOf, type Instant } from '../../../domain/time.ts';
import type { Document, Query, Where } from '../../../stores/read-store/port.ts';
import { hourOf } from '../../check-results/hours.ts';
import { checkResults } from '../../check-results/projection.ts';
import type { AnyProjection } from '../../engine/fold/define.ts';
import type { QueriedStore } from '../../engine/projection-reader.ts';
import { heartbeatPings } from '../../heartbeat-pings/projection.ts';
import { heartbeats } from '../../heartbeats/projection.ts';
import type { FoldedModel } from '../past-read.ts';
import { loadCheckActivity } from './check-activity.ts';
import { loadCheckHours } from './check-hours.ts';
import { loadCredits } from './credits.ts';
import { loadHeartbeatPings } from './heartbeat-pings.ts';
import { RESULT_LIMITS, type Loaded, type ResultSources, type ResultsMoment } from './loads.ts';

/** The values that follow from results and pings. */
export type ResultValues = 'check_activity' | 'check_hours' | 'heartbeat_states' | 'heartbeat_pings' | 'credits';

/** Results and pings at one moment. They are read when they are first needed. */
export interface PastResults {
  /** Returns the read model of a projection of the log `results`; null: its past states cannot be read. */
  modelOf: (projection: Pick<AnyProjection, 'name'>) => FoldedModel | null;
  /** Whether values of a check, heartbeat or organization were read, but could not be derived from the log. */
  isUnknown: (values: ResultValues, id: string) => boolean;
  /** Whether a value was unknown because a read model has not folded all results or pings that it follows from. */
  isLate: () => boolean;
}

/**
 * Creates the results and pings of moments. Settled moments are cached. Values of a settled moment are unknown as long as
 * a read model from which they are found lacks events of that time.
 */
export type CreatePastResults = (moment: ResultsMoment, isSettled: boolean) => PastResults;

/** Number of pings that the response for one heartbeat contains (docs/reference/heartbeats.md). */
const RECENT_PINGS = 10;
/** Maximum number of folded events of all cached loads. Each takes about two kilobytes. */
const MOST_CACHED = 10_000;
/** Milliseconds after which unused loads are dropped. */
const IDLE_MS = 300_000;

/** What a read of a collection asks for. */
interface Question {
  ids: readonly string[];
  where: Where;
}

/** @param options `limits`: only tests set them */
export const createPastResultsSource = ({
  limits = RESULT_LIMITS,
  ...stores
}: Omit<ResultSources, 'limits'> & Partial<Pick<ResultSources, 'limits'>>): CreatePastResults => {
  const sources: ResultSources = { ...stores, limits };
  const known = new LRUCache<string, Loaded>({
    maxSize: MOST_CACHED,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });

  /** Very many results are in memory while sums are loaded, so only one request at a time loads them. */
  const alone = createMutex();

  return (moment, isSettled) => {
    const unknown = new Map<ResultValues, Set<string>>();
    const loading = new Map<string, Promise<Loaded>>();
    /** checks whose activity was read: those of the response */
    const shown = new Set<string>();
    const hourLoads: { since: Instant; ids: ReadonlySet<string>; loaded: Promise<Loaded> }[] = [];
    let heartbeatIds: Promise<ReadonlyMap<string, string>> | null = null;

    const complete = new Map<string, Promise<boolean>>();
    let isLate = false;

    /** Whether the present read model has folded all events that were recorded at or before the moment. */
    const isComplete = (projection: AnyProjection): Promise<boolean> => {
      const known = complete.get(projection.name) ?? hasPassed(sources, projection, moment.at);
      complete.set(projection.name, known);
      known.catch(() => complete.delete(projection.name));
      return known;
    };

    const note = (values: ResultValues, ids: Iterable<string>): void => {
      unknown.set(values, new Set([...(unknown.get(values) ?? []), ...ids]));
    };

    const cached = async (
      key: string,
      ids: readonly string[],
      found: AnyProjection | null,
      load: () => Promise<Loaded>,
    ): Promise<Loaded> => {
      if (!isSettled) return load();
      const { organizationId, at, retainedFrom } = moment;
      const whole = JSON.stringify([organizationId, at, retainedFrom, key]);
      const before_ = known.get(whole);
      if (before_) return before_;
      if (found && !(await isComplete(found))) {
        isLate = true;
        return { models: new Map(), unknown: new Set(ids), events: 0 };
      }
      const loaded = await load();
      known.set(whole, loaded, { size: loaded.events + 1 });
      return loaded;
    };

    /**
     * Loads values of checks or heartbeats once for this moment.
     *
     * @param found the read model that shows where in the log the events are; null: they are found without one
     */
    const loadOnce = async (
      values: ResultValues,
      ids: readonly string[],
      { detail = '', found }: { detail?: string; found: AnyProjection | null },
      load: () => Promise<Loaded>,
    ): Promise<Loaded> => {
      const key = [values, detail, ...[...ids].sort()].join(' ');
      const loaded = loading.get(key) ?? cached(key, ids, found, load);
      loading.set(key, loaded);
      loaded.catch(() => loading.delete(key));
      note(values, (await loaded).unknown);
      return loaded;
    };

    const idsOfHeartbeats = (): Promise<ReadonlyMap<string, string>> =>
      (heartbeatIds ??= moment
        .past(heartbeats)
        .heartbeats.pick(['id'], { where: { organization_id: moment.organizationId } })
        .then((all) => new Map(all.map(({ id }) => [publicNameOf(id), id]))));

    const activity = ({ ids }: Question): Promise<Loaded> => {
      for (const id of ids) shown.add(id);
      return loadOnce('check_activity', ids, { found: checkResults }, () => loadCheckActivity(sources, moment, ids));
    };

    const states = async ({ ids }: Question): Promise<Loaded> => {
      const byName = await idsOfHeartbeats();
      const own = ids.flatMap((name) => byName.get(name) ?? []);
      return loadOnce('heartbeat_states', own, { found: heartbeatPings }, () =>
        loadHeartbeatPings(sources, moment, own, 0),
      );
    };

    const pings = ({ where }: Question): Promise<Loaded> => {
      const ids = valuesOf(where, 'heartbeat_id');
      return loadOnce('heartbeat_pings', ids, { found: heartbeatPings }, () =>
        loadHeartbeatPings(sources, moment, ids, RECENT_PINGS),
      );
    };

    /** Loads the hours of all checks of the response together, because their results are in the same streams. */
    const hours = ({ where }: Question): Promise<Loaded> => {
      const ids = valuesOf(where, 'check_id');
      const since = startOf(where);
      const wider = hourLoads.find((load) => load.since <= since && ids.every((id) => load.ids.has(id)));
      if (wider) return wider.loaded;
      const all = ids.every((id) => shown.has(id)) ? [...shown] : ids;
      const loaded = loadOnce('check_hours', all, { detail: since, found: checkResults }, () =>
        alone(() => loadCheckHours(sources, moment, all, since)),
      );
      hourLoads.push({ since, ids: new Set(all), loaded });
      return loaded;
    };

    const credits = (): Promise<Loaded> =>
      loadOnce('credits', [moment.organizationId], { found: null }, () => alone(() => loadCredits(sources, moment)));

    const collections: Readonly<Record<string, Readonly<Record<string, (question: Question) => Promise<Loaded>>>>> = {
      check_activity: { check_activity: activity },
      heartbeat_pings: { heartbeat_standings: states, heartbeat_pings: pings },
      check_results: { check_hours: hours, check_results: hours, credit_days: credits },
    };

    return {
      modelOf: ({ name }) => {
        const loads = collections[name];
        return loads ? { store: storeOf(loads), generation: { projection: name, number: 1 } } : null;
      },
      isUnknown: (values, id) => unknown.get(values)?.has(id) ?? false,
      isLate: () => isLate,
    };
  };
};

/**
 * Tests whether a present read model has folded all events that were recorded at or before a moment. Processes whose
 * clocks differ may have recorded such events after an event with a later time.
 */
const hasPassed = async (
  { oldestUnfolded }: Pick<ResultSources, 'oldestUnfolded'>,
  projection: AnyProjection,
  at: Instant,
): Promise<boolean> => {
  const oldest = await oldestUnfolded(projection);
  return oldest === null || (oldest.recordedAt ?? 0) > millisecondsOf(at) + CLOCKS_DIFFER_MS;
};

/** Returns a store that loads documents on demand, separately for each check or heartbeat. */
const storeOf = (loads: Readonly<Record<string, (question: Question) => Promise<Loaded>>>): QueriedStore => {
  const load = async (collection: string, question: Question): Promise<FoldedModel[]> => {
    const loaded = await loads[collection]?.(question);
    const { where } = question;
    const named = [...valuesOf(where, 'check_id'), ...valuesOf(where, 'heartbeat_id')];
    if (!loaded) return [];
    return named.length === 0 ? [...loaded.models.values()] : named.flatMap((id) => loaded.models.get(id) ?? []);
  };
  return {
    get: async (_, collection, ids) => {
      const found = new Map<string, Document>();
      for (const { store, generation } of await load(collection, { ids, where: {} }))
        for (const document of await store.get(generation, collection, ids)) found.set(document.id, document);
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    find: async (_, collection, query) => {
      const found: Document[] = [];
      for (const { store, generation } of await load(collection, questionOf(query)))
        found.push(...(await store.find(generation, collection, query)));
      return found;
    },
    count: async (_, collection, where = {}) => {
      let count = 0;
      for (const { store, generation } of await load(collection, questionOf({ where })))
        count += await store.count(generation, collection, where);
      return count;
    },
  };
};

const questionOf = ({ where = {} }: Query): Question => ({ ids: valuesOf(where, 'id'), where });

/** Returns the values of a field that a condition requires. */
const valuesOf = (where: Where, field: string): string[] => {
  const condition = where[field];
  if (typeof condition === 'string') return [condition];
  if (typeof condition !== 'object' || condition === null || !('$in' in condition)) return [];
  return (condition.$in ?? []).filter((value) => typeof value === 'string');
};

/**
 * Returns the start of the hour before the whole hours that a condition requires, or of the hour that contains the results
 * that it requires. Both are the same for the parts of one period, unless it has no whole hour at its end.
 */
const startOf = (where: Where): Instant => {
  const lowest = (field: string): Instant | null => {
    const condition = where[field];
    if (typeof condition !== 'object' || condition === null || !('$gte' in condition)) return null;
    return typeof condition.$gte === 'string' ? condition.$gte : null;
  };
  const hour = lowest('hour');
  return hour === null ? hourOf(lowest('created_at') ?? '') : before(hour, HOUR_MS);
};
