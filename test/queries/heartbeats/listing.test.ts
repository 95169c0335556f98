import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { STATUS_FILTERS, listHeartbeats, type HeartbeatFilters } from '../../../queries/heartbeats/heartbeats.ts';
import { openMongoDb } from '../../../stores/mongodb/open.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import { openMongoReadStore } from '../../../stores/read-store/mongodb/open.ts';
import type { ReadStore } from '../../../stores/read-store/port.ts';
import { openSqliteReadStore } from '../../../stores/read-store/sqlite/open.ts';
import { at, created, ping, updated, wentDown } from '../../domain/heartbeat/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { skippedWithoutMongoDb, startMongoDb, testDatabase } from '../../servers/mongodb/server.ts';
import { temporaryDirectory } from '../../stores/temporary.ts';
import { scopeOf } from '../engine/scope.ts';

const AT = '2026-11-20T14:20:00.000000';

/** Returns the same events for another heartbeat, which was created this many minutes after 12:00. */
const about = (heartbeat_id: string, minute: number, ...facts: unknown[]): Fact[] =>
  (facts as Fact[]).map((fact) => {
    const data: Record<string, unknown> = { ...fact.data, heartbeat_id };
    if ('ping_id' in data) data['ping_id'] = `${heartbeat_id}${String(data['ping_id'])}`;
    if (fact.type === 'HeartbeatCreated') data['created_at'] = at(`12:${minute.toString().padStart(2, '0')}`);
    return { ...fact, data, stream: `heartbeat-${heartbeat_id}` } as Fact;
  });

const pinged = (clock: string): unknown => ({ type: 'HeartbeatPinged', data: ping(clock) });

/** Events of one heartbeat for each status, and of some heartbeats that are similar but have another status. */
const HISTORY: Fact[] = [
  ...about('beat000000up', 1, created({ name: 'Backup of eu', tags: ['eu'] }), pinged('14:00')),
  ...about('beat00000new', 2, created({ tags: ['eu'] })),
  ...about('beat0000late', 3, created({ tags: ['eu'] }), pinged('13:15')),
  ...about('beat0000down', 4, created(), pinged('13:00'), wentDown),
  ...about('beat00paused', 5, created(), pinged('13:15'), updated('13:20', { active: false })),
  ...about('beatnotdown1', 6, created(), pinged('13:00'), wentDown, updated('14:15', { active: false })),
  // This heartbeat is up, because its period was changed and the new period has begun without a ping.
  ...about('beat0changed', 7, created(), pinged('13:15'), updated('14:10', { period_seconds: 1_800 })),
];

const listing = (name: string, open: () => Promise<{ store: ReadStore; dispose: () => Promise<void> }>): void => {
  const test = suite(`heartbeats are listed by status on ${name}`);
  let opened: Awaited<ReturnType<typeof open>>;
  let scope: ReturnType<typeof scopeOf>;
  test.before(async () => {
    opened = await open();
    scope = scopeOf(HISTORY, { now: AT }, opened.store);
  });
  test.after(() => opened.dispose());

  const found = async (filters: Partial<HeartbeatFilters>, paging = { page: 1, size: 50 }) => {
    const { items, total } = await listHeartbeats(scope, filters, paging);
    return { ids: items.map(({ id }) => id), total };
  };
  const idsOf = async (filters: Partial<HeartbeatFilters>) => (await found(filters)).ids;

  test('the heartbeat list filtered by a status contains exactly the heartbeats that are shown with that status', async () => {
    const { items } = await listHeartbeats(scope, {}, { page: 1, size: 50 });
    for (const status of STATUS_FILTERS) {
      const shown = items.filter((one) => (one.status ?? 'pending') === status).map(({ id }) => id);
      assert.ok(shown.length > 0, status);
      assert.equal(await idsOf({ status: [status] }), shown, status);
    }
    assert.equal(await idsOf({ status: STATUS_FILTERS }), await idsOf({}));
    assert.equal(await idsOf({ status: ['up'] }), ['beat0changed', 'beat000000up']);
  });

  test('the heartbeat list filtered by several statuses contains heartbeats with any of them, and applies other filters too', async () => {
    assert.equal(await idsOf({ status: ['grace', 'down'] }), ['beat0000down', 'beat0000late']);
    assert.equal(await idsOf({ status: ['paused', 'down'] }), ['beatnotdown1', 'beat00paused', 'beat0000down']);
    assert.equal(await idsOf({ status: ['grace', 'pending'], tag: ['eu'] }), ['beat0000late', 'beat00000new']);
    assert.equal(await idsOf({ status: ['up', 'paused'], name: 'OF EU' }), ['beat000000up']);
    assert.equal(await idsOf({ status: ['up', 'paused'], active: true }), ['beat0changed', 'beat000000up']);
    assert.equal(await idsOf({ status: ['up', 'grace', 'pending'], tag: ['eu'] }), [
      'beat0000late',
      'beat00000new',
      'beat000000up',
    ]);
  });

  test('the pages of a filtered heartbeat list contain and count only matching heartbeats that existed at the time of the first page', async () => {
    const status = ['up', 'grace'] as const;
    assert.equal(await found({ status }, { page: 1, size: 2 }), { ids: ['beat0changed', 'beat0000late'], total: 3 });
    assert.equal(await found({ status }, { page: 2, size: 2 }), { ids: ['beat000000up'], total: 3 });
    assert.equal(await found({ status }, { page: 3, size: 2 }), { ids: [], total: 3 });
    const until = { page: 1, size: 2, until: at('12:03') };
    assert.equal(await found({ status }, until), { ids: ['beat0000late', 'beat000000up'], total: 2 });
  });

  test('the heartbeat list reads no pings if the filter does not depend on them', async () => {
    scope.reads.length = 0;
    await listHeartbeats(scope, { status: ['paused', 'down'] }, { page: 2, size: 50 });
    assert.equal(scope.reads.sort(), ['heartbeat_standings.getMany', 'heartbeats.count', 'heartbeats.find']);
  });

  test.run();
};

listing('memory', async () => ({ store: createMemoryReadStore(), dispose: async () => undefined }));

listing('SQLite', async () => {
  const { directory, remove } = temporaryDirectory();
  const store = openSqliteReadStore({ directory, mode: 'writer' });
  return {
    store,
    dispose: async () => {
      await store.close();
      remove();
    },
  };
});

if (!skippedWithoutMongoDb()) {
  listing('MongoDB', async () => {
    const server = await startMongoDb();
    const database = testDatabase(server);
    const mongo = openMongoDb(database.url);
    const store = openMongoReadStore(mongo);
    return {
      store,
      dispose: async () => {
        await store.close();
        await mongo.close();
        await database.drop();
        await server.stop();
      },
    };
  });
}
