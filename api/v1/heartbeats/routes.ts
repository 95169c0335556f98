import { Type } from '@sinclair/typebox';
import { createHeartbeat, deleteHeartbeat, updateHeartbeat } from '../../../commands/checks/heartbeats.ts';
import { MAX_PERIOD_SECONDS, PERIOD_TOO_LONG } from '../../../domain/heartbeat/decide.ts';
import { revisedIn } from '../../../domain/revision.ts';
import type { FieldMessages } from '../../../http/validation-messages.ts';
import { heartbeats } from '../../../projections/heartbeats/projection.ts';
import {
  findHeartbeat,
  listHeartbeats,
  showHeartbeat,
  STATUS_FILTERS,
  type JoinedHeartbeat,
} from '../../../queries/heartbeats/heartbeats.ts';
import { listPings, countPingsByHour, type Ping as OpenedPing } from '../../../queries/heartbeats/pings.ts';
import { pagesOfStyleB } from '../../pagination.ts';
import { resource } from '../../resource.ts';
import { ok, route, type Route } from '../../route.ts';
import { choice, commaList, Id, tagFilter, text } from '../../schema.ts';
import { presentHeartbeat, presentPing } from './present.ts';
import { Heartbeat, HeartbeatChange, NewHeartbeat, Ping, PingCounts } from './schema.ts';

const tag = 'Heartbeats';
const path = '/v1/heartbeats';
// Anyone who knows the id can ping, so logs must not show the id. Logs omit parameters whose name contains `key`.
const params = Type.Object({ heartbeat_key: Id });
const reading = { access: { needs: 'heartbeats.read' }, confidential: true } as const;

/** Number of newest pings in the response for one heartbeat. */
const RECENT = 10;
/** Maximum time range of a request, in hours: 31 days. */
const MOST_HOURS = 744;

const pings = pagesOfStyleB({ key: 'pings', size: 50, newestBy: 'received_at' });

/**
 * Refuses a period that is too long. If the heartbeat has a schedule, `period_seconds` is not checked, because it is
 * ignored.
 *
 * @param stored schedule before the request
 */
const brokenPeriod = (stored: string | null, body: Readonly<Record<string, unknown>>): FieldMessages => {
  const { period_seconds, schedule = stored } = body;
  const isPeriod = schedule === null && typeof period_seconds === 'number';
  return isPeriod && period_seconds > MAX_PERIOD_SECONDS ? { period_seconds: [PERIOD_TOO_LONG] } : {};
};

/** A heartbeat for a response. `recent` has its newest pings, and is absent in lists. */
interface ShownHeartbeat {
  shown: JoinedHeartbeat;
  recent?: readonly OpenedPing[];
}

const own = resource({
  path,
  id: 'heartbeat_key',
  tag,
  noun: 'heartbeat',
  needs: { read: 'heartbeats.read', write: 'heartbeats.write' },
  revised: ({ heartbeat_key }) => revisedIn('heartbeat', heartbeat_key),
  show: async ({ scope, params }): Promise<ShownHeartbeat> => {
    const shown = await showHeartbeat(scope, params.heartbeat_key);
    const { items } = await listPings(scope, shown, { page: 1, size: RECENT });
    return { shown, recent: items };
  },
  find: ({ scope, params }) => findHeartbeat(scope, params.heartbeat_key),
  schema: Heartbeat,
  present: ({ shown, recent }, { addressOf }) => presentHeartbeat(shown, addressOf, recent),
  confidential: true,
  list: {
    summary: 'List heartbeats',
    description: 'The list is sorted newest first.',
    style: pagesOfStyleB({ key: 'checks', size: 50, newestBy: 'created_at' }),
    filters: {
      name: text(255),
      active: Type.Boolean(),
      tag: tagFilter,
      status: commaList(choice(STATUS_FILTERS), {
        description: 'Any of these statuses, separated by commas. `pending`: never pinged, so that `status` is null.',
      }),
    },
    ask: async ({ scope, query }, paging) => {
      const { items, total } = await listHeartbeats(scope, query, paging);
      return { items: items.map((shown) => ({ shown })), total };
    },
  },
  create: {
    body: NewHeartbeat,
    alsoRefused: ({ body }) => brokenPeriod(null, body),
    ask: ({ body, context, commands }) => commands.bind(createHeartbeat)(body, context),
  },
  change: {
    body: HeartbeatChange,
    alsoRefused: ({ body, found }) => brokenPeriod(found.schedule, body),
    ask: ({ params, body, context, commands }) => commands.bind(updateHeartbeat)(params.heartbeat_key, body, context),
  },
  remove: {
    waitsFor: [heartbeats.name],
    ask: ({ params, context, commands }) => commands.bind(deleteHeartbeat)(params.heartbeat_key, context),
  },
});

export const heartbeatRoutes: Route[] = [
  ...own,
  route({
    ...reading,
    methods: ['get'],
    path: `${path}/{heartbeat_key}/pings`,
    summary: 'List the pings of a heartbeat',
    description: 'The list is sorted newest first.',
    tag,
    params,
    query: Type.Object({ ...pings.query }),
    responses: { 200: pings.answer(Ping) },
    find: ({ scope, params }) => findHeartbeat(scope, params.heartbeat_key),
    handle: ({ query, scope, found }) =>
      ok(() => pings.body(query, (paging) => listPings(scope, found, paging), presentPing)),
  }),
  route({
    ...reading,
    methods: ['get'],
    path: `${path}/{heartbeat_key}/pings-count`,
    summary: 'Count the pings of a heartbeat by hour',
    tag,
    params,
    query: Type.Object({
      hours: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MOST_HOURS, default: 24, description: 'Number of hours up to now.' }),
      ),
    }),
    responses: { 200: PingCounts },
    find: ({ scope, params }) => findHeartbeat(scope, params.heartbeat_key),
    handle: ({ query: { hours = 24 }, scope, found }) =>
      ok(async () => {
        const ping_counts = await countPingsByHour(scope, found, hours);
        const total_pings = ping_counts.reduce((sum, { ping_count }) => sum + ping_count, 0);
        const hours_without_pings = ping_counts.filter(({ ping_count }) => ping_count === 0).length;
        return { ping_counts, summary: { hours, total_pings, hours_without_pings } };
      }),
  }),
];
