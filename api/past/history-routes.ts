import { Type, type Static } from '@sinclair/typebox';
import { Invalid } from '../../domain/errors.ts';
import { byPosition } from '../../domain/event.ts';
import { isFields } from '../../domain/fields.ts';
import type { Instant } from '../../domain/time.ts';
import { pagesOfStyleB } from '../pagination.ts';
import { ok, type Route } from '../route.ts';
import { InstantOut, instantIn, namedSchema, nullable } from '../schema.ts';
import { shownAt, type AnyCall, type AsOf } from './as-of.ts';
import { isInFuture } from '../../projections/past/past-reads.ts';
import { HistoryEvent, shownEvents, Value } from './shown-events.ts';
import { isChange, visibleEvents, type VisibleEvents } from './visible-events.ts';

/** Maximum numbers of events, and of moments, in a response. Longer lists are cut to the newest items. */
const MOST_EVENTS = 1_000;
const MOST_MOMENTS = 10_000;

const list = pagesOfStyleB({ key: 'history', size: 20, newestBy: 'at' });

const HistoryDiff = namedSchema(
  'HistoryDiff',
  Type.Object({
    from: nullable({ ...InstantOut, description: 'null: before its creation' }),
    to: nullable({ ...InstantOut, description: 'null: now' }),
    existed: Type.Object({ from: Type.Boolean(), to: Type.Boolean() }, { description: 'whether it existed then' }),
    changes: Type.Record(Type.String(), Type.Object({ old: Value, new: Value }), {
      description: 'fields that differ, nested ones with dots between their names; null where there was none',
    }),
    events: Type.Array(HistoryEvent, { description: 'the events between, oldest first' }),
    truncated: Type.Boolean({ description: `there are more events than the newest ${MOST_EVENTS}` }),
  }),
);

const HistoryMoments = namedSchema(
  'HistoryMoments',
  Type.Object({
    moments: Type.Array(InstantOut, { description: 'when something changed, oldest first' }),
    truncated: Type.Boolean({ description: `there are more moments than the newest ${MOST_MOMENTS}` }),
  }),
);

/** Returns the history routes of the resource that `route` shows: `/history`, `/history/diff`, `/history/moments`. */
export const historyRoutes = (route: Route, asOf: AsOf): Route[] => {
  const { source } = asOf;
  if (!source) return [];
  const one = oneOf(route);
  const { path, access, params, confidential = false } = route;
  const shared = {
    methods: ['get'] as const,
    tag: 'History',
    access,
    ...(params && { params }),
    ...(confidential && { confidential }),
    heavy: true,
  };
  const eventsOf = (call: AnyCall): Promise<VisibleEvents> => visibleEvents(route, asOf, source, call);

  const history = {
    ...shared,
    path: `${path}/history`,
    summary: `List the history of ${one}`,
    query: Type.Object(list.query),
    responses: { 200: list.answer(HistoryEvent) },
    handle: async (call: AnyCall) => {
      const { own: events } = await eventsOf(call);
      return ok(() =>
        list.body(call.query, async ({ page, size, until }) => {
          const all = until === undefined ? events : events.filter(({ metadata }) => metadata.recorded_at <= until);
          const newest = [...all].reverse().slice((page - 1) * size, page * size);
          return { items: await shownEvents(call, source, newest), total: all.length };
        }),
      );
    },
  };

  const diff = {
    ...shared,
    path: `${path}/history/diff`,
    summary: `Compare two past states of ${one}`,
    query: Type.Object({
      from: Type.Optional(instantIn({ description: 'the earlier moment; default: before its creation' })),
      to: Type.Optional(instantIn({ description: 'the later moment; default: now' })),
    }),
    responses: { 200: HistoryDiff },
    requireQuery: ({ from, to }: { from?: Instant; to?: Instant }, now: Instant) => {
      if (from !== undefined && isInFuture(from, now)) throw invalidQuery('from', 'Must not be in the future.');
      if (to !== undefined && isInFuture(to, now)) throw invalidQuery('to', 'Must not be in the future.');
      if (from !== undefined && from > (to ?? now)) throw invalidQuery('from', 'Must not be later than to.');
    },
    handle: async (call: AnyCall) => {
      const { from = null, to = null } = call.query as { from?: Instant; to?: Instant };
      const until = to ?? call.scope.now;
      const { own, related } = await eventsOf(call);
      const events = [...own, ...(await related())].sort(byPosition);
      const before = from && (await shownAt(route, asOf, call, from));
      const after = await shownAt(route, asOf, call, until);
      const between = events.filter(({ metadata: { recorded_at: at } }) => (from ?? '') < at && at <= until);
      return ok(async () => ({
        from,
        to,
        existed: { from: before !== null, to: after !== null },
        changes: differing(before, after),
        events: await shownEvents(call, source, between.slice(-MOST_EVENTS)),
        truncated: between.length > MOST_EVENTS,
      }));
    },
  };

  const moments = {
    ...shared,
    path: `${path}/history/moments`,
    summary: `List the moments at which ${one} changed`,
    responses: { 200: HistoryMoments },
    handle: async (call: AnyCall) => {
      const { changes } = await eventsOf(call);
      const below = source.below ? await call.past.events(ownerOf(call), source.below) : [];
      const all = [
        ...new Set([...(await changes()), ...below.filter(isChange)].map(({ metadata }) => metadata.recorded_at)),
      ].sort();
      return ok(() => ({ moments: all.slice(-MOST_MOMENTS), truncated: all.length > MOST_MOMENTS }));
    },
  };
  return [history, diff, moments] as unknown as Route[];
};

const invalidQuery = (field: string, sentence: string): Invalid =>
  new Invalid({ query: { [field]: [sentence] } }, 'The query is invalid.');

/** `Show a page` → `a page` */
const oneOf = ({ summary }: Route): string => {
  const words = summary.split(' ').slice(1).join(' ');
  return words.startsWith('a ') || words.startsWith('an ') || words.startsWith('the ') ? words : 'a resource';
};

const ownerOf = ({ scope, params }: AnyCall) => ({
  organizationId: scope.organizationId,
  ...(params['page_id'] !== undefined && { pageId: params['page_id'] }),
});

type Changes = Static<typeof HistoryDiff>['changes'];

/** Returns the fields that differ between two states of a resource. Null stands for a resource that did not exist. */
const differing = (before: unknown, after: unknown): Changes => {
  const changes: Changes = {};
  const compare = (path: string, old: unknown, now: unknown): void => {
    if (JSON.stringify(old) === JSON.stringify(now)) return;
    if (isFields(old) && isFields(now)) {
      for (const name of new Set([...Object.keys(old), ...Object.keys(now)]))
        compare(path === '' ? name : `${path}.${name}`, old[name], now[name]);
      return;
    }
    changes[path] = { old: old ?? null, new: now ?? null };
  };
  compare('', before ?? {}, after ?? {});
  return changes;
};
