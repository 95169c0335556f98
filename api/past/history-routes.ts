import { Type, type Static } from '@sinclair/typebox';
import { streamOf } from '../../domain/decider.ts';
import { Invalid, NotFound } from '../../domain/errors.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { isFields } from '../../domain/fields.ts';
import type { Instant } from '../../domain/time.ts';
import { auditSubjectOf } from '../../projections/audit/subjects.ts';
import { describeEvent } from '../../queries/history/describe.ts';
import { actorNames } from '../../queries/history/names.ts';
import { pagesOfStyleB } from '../pagination.ts';
import { ok, type ApiSurface, type Call, type Route } from '../route.ts';
import { InstantOut, instantIn, namedSchema, nullable } from '../schema.ts';
import { shownAt, type AsOf } from './as-of.ts';
import { isInFuture } from '../../projections/past/past-reads.ts';

/** Maximum numbers of events, and of moments, in a response. Longer lists are cut to the newest items. */
const MOST_EVENTS = 1_000;
const MOST_MOMENTS = 10_000;

const Value = Type.Unknown({ examples: ['Payments fail'] });

const HistoryEvent = namedSchema(
  'HistoryEvent',
  Type.Object({
    at: { ...InstantOut, description: 'when it was recorded' },
    type: Type.String({ examples: ['IncidentUpdateAppended'] }),
    action: nullable(
      Type.String({ description: 'its name in the audit log; null: nobody did it', examples: ['incident.updated'] }),
    ),
    actor: Type.Object({
      kind: Type.Union([Type.Literal('user'), Type.Literal('api_key'), Type.Literal('system')]),
      id: Type.String({ examples: ['k3v9x0q2m7ab'] }),
      role: nullable(Type.String({ examples: ['editor'] })),
      name: nullable(Type.String({ examples: ['Ida Berg'] })),
    }),
    ip_address: nullable(
      Type.String({ description: 'only for callers who may read the audit log', examples: ['192.0.2.7'] }),
    ),
    user_agent: nullable(
      Type.String({ description: 'only for callers who may read the audit log', examples: ['curl/8.5.0'] }),
    ),
    changes: Type.Record(Type.String(), Type.Object({ old: Value, new: Value }), { description: 'by field' }),
  }),
);

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

type AnyCall = Call<Record<string, string>, Record<string, unknown>, unknown> & { found: unknown };

/** Returns the history routes of the resource that `route` shows: `/history`, `/history/diff`, `/history/moments`. */
export const historyRoutes = (route: Route, asOf: AsOf): Route[] => {
  const { source } = asOf;
  if (!source) return [];
  const one = oneOf(route);
  const { path, access, params } = route;
  const shared = { methods: ['get'] as const, tag: 'History', access, ...(params && { params }), heavy: true };
  const eventsOf = async (call: AnyCall): Promise<readonly RecordedEvent[]> => {
    const events = await ownEvents(call, asOf);
    if (events.length === 0) throw new NotFound('Not found.');
    return events;
  };

  const history = {
    ...shared,
    path: `${path}/history`,
    summary: `List the history of ${one}`,
    query: Type.Object(list.query),
    responses: { 200: list.answer(HistoryEvent) },
    handle: async (call: AnyCall) => {
      const events = await eventsOf(call);
      return ok(() =>
        list.body(call.query, async ({ page, size, until }) => {
          const all = until === undefined ? events : events.filter(({ metadata }) => metadata.recorded_at <= until);
          const newest = [...all].reverse().slice((page - 1) * size, page * size);
          return { items: await shownEvents(call, newest), total: all.length };
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
      const events = await eventsOf(call);
      const before = from && (await shownAt(route, asOf, call, from));
      const after = await shownAt(route, asOf, call, until);
      const between = events.filter(({ metadata: { recorded_at: at } }) => (from ?? '') < at && at <= until);
      return ok(async () => ({
        from,
        to,
        existed: { from: before !== null, to: after !== null },
        changes: differing(before, after),
        events: await shownEvents(call, between.slice(-MOST_EVENTS)),
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
      const events = await eventsOf(call);
      const below = source.below ? await call.past.events(ownerOf(call), source.below) : [];
      const all = [...new Set([...events, ...below].map(({ metadata }) => metadata.recorded_at))].sort();
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

/**
 * Returns the events of the resource that the path names, oldest first. Returns an empty list if the organization
 * never had this resource.
 */
const ownEvents = async (call: AnyCall, { source }: AsOf): Promise<readonly RecordedEvent[]> => {
  if (!source) return [];
  const { params, scope, past } = call;
  const all = await past.stream(
    streamOf(source.category, source.parameter === null ? scope.organizationId : (params[source.parameter] ?? '')),
    scope.organizationId,
  );
  const pageId = params['page_id'];
  const first = all[0]?.data as { page_id?: string } | undefined;
  if (pageId !== undefined && source.parameter !== 'page_id' && first?.page_id !== pageId) return [];
  const { about } = source;
  return about === undefined ? all : all.filter((event) => isAbout(event, params[about] ?? ''));
};

const isAbout = (event: RecordedEvent, id: string): boolean => auditSubjectOf(event)?.resource_id === id;

const shownEvents = async (
  { scope, may }: Pick<ApiSurface['given'], 'scope' | 'may'>,
  events: readonly RecordedEvent[],
): Promise<Static<typeof HistoryEvent>[]> => {
  const names = await actorNames(scope, events);
  const mayAudit = may('audit.read');
  return Promise.all(
    events.map(async (event) => {
      const { ip_address, user_agent, ...described } = await describeEvent(event, scope.keys, names);
      return {
        ...described,
        ip_address: mayAudit ? ip_address : null,
        user_agent: mayAudit ? user_agent : null,
      };
    }),
  );
};

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
