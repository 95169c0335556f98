import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readOverviewStatistics } from '../../../queries/overview/statistics.ts';
import type { Sort } from '../../../queries/overview/order.ts';
import { readOverview, readOverviewRows } from '../../../queries/overview/overview.ts';
import { readOverviewChecks, type OverviewFilters } from '../../../queries/overview/rows.ts';
import { groupCreated, groupDeleted, paused, resumed } from '../../domain/check-group/examples.ts';
import {
  CHECK,
  checkCreated,
  checkDeleted,
  checkUpdated,
  GROUP,
  recovered,
  wentDown,
} from '../../domain/check/examples.ts';
import { ranDown, ranOk } from '../../domain/check-result/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { OTHER_ORGANIZATION, scopeOf, type ObservedScope } from '../engine/scope.ts';

const test = suite('the overview of checks');

const [UP, DOWN, PENDING, PAUSED] = ['check00000up', 'check0000dwn', 'check000pend', 'check000paus'] as const;

const checkOf = (
  check_id: string,
  fields: Parameters<typeof checkCreated>[0] = {},
  group_id: string | null = null,
): Fact => {
  const { type, data } = checkCreated(fields, { group_id, position: group_id === null ? null : 1 });
  return { type, data: { ...data, check_id } };
};
const ran = (check_id: string, recorded_at: string, fields: Parameters<typeof ranOk>[0] = {}): Fact => ({
  ...ranOk({ check_id, result_id: `${check_id}${recorded_at}`, ...fields }),
  metadata: { recorded_at },
});

/** Events of one check for each status. The check that is up is in a group. */
const ONE_OF_EACH: Fact[] = [
  groupCreated(),
  checkOf(UP, { name: 'Alpha', url: 'https://shop.example/cart' }, GROUP),
  checkOf(DOWN, { name: 'Beta', type: 'tcp', url: null, host: 'db.example', port: 5432 }),
  checkOf(PENDING, { name: 'Gamma' }),
  checkOf(PAUSED, { name: 'delta', active: false }),
  recovered({ check_id: UP, at: '2026-11-20T14:00:00.000000' }),
  wentDown({ check_id: DOWN, at: '2026-11-20T15:00:30.000000', error_message: 'Connection refused.' }),
];

const pageOf = async (
  scope: ObservedScope,
  filters: OverviewFilters = {},
  sort: Sort = 'status',
  paging = { page: 1, size: 1_000 },
) => readOverview(scope, await readOverviewChecks(scope), { filters, sort, paging });

const idsIn = async (scope: ObservedScope, filters: OverviewFilters = {}, sort: Sort = 'status') =>
  (await pageOf(scope, filters, sort)).items.map(({ id }) => id);

test('a row of the overview contains the status of a check, the start of the status, and its reason', async () => {
  const { items } = await pageOf(scopeOf(ONE_OF_EACH));
  assert.equal(
    items.map(({ id, status, since, error_message }) => [id, status, since, error_message]),
    [
      [DOWN, 'down', '2026-11-20T15:00:30.000000', 'Connection refused.'],
      [PENDING, 'pending', null, null],
      [UP, 'up', '2026-11-20T14:00:00.000000', null],
      [PAUSED, 'paused', '2026-11-20T15:00:04.000000', null],
    ],
  );
});

test('a row of the overview contains response times, uptime, and the hours in which the check failed', async () => {
  const scope = scopeOf([
    ...ONE_OF_EACH,
    ran(UP, '2026-11-19T16:59:00.000000', { response_time: 7 }),
    ran(UP, '2026-11-20T12:10:00.000000', { response_time: 100 }),
    ran(UP, '2026-11-20T12:20:00.000000', { response_time: 201 }),
    ran(UP, '2026-11-20T15:10:00.000000', { ...ranDown().data, check_id: UP, result_id: 'another00001' }),
    ran(UP, '2026-11-20T16:00:00.000000', { response_time: 30 }),
  ]);
  const row = (await pageOf(scope)).items.find(({ id }) => id === UP);
  assert.is(row?.response_time, 30);
  const hours = new Array<number | null>(24).fill(null);
  hours[19] = 150;
  hours[23] = 30;
  assert.equal(row?.hours, hours);
  assert.equal(row?.failed_hours, [22]);
  assert.is(row?.uptime_24h, 75);
  assert.is(row?.uptime_30d, 80);
});

test('the counts by status include all checks that match the other filters', async () => {
  const scope = scopeOf(ONE_OF_EACH);
  const { counts, total, items } = await pageOf(scope, { status: ['down', 'paused'], type: ['web'] });
  assert.equal(counts, { down: 0, pending: 1, up: 1, paused: 1 });
  assert.is(total, 1);
  assert.equal(
    items.map(({ id }) => id),
    [PAUSED],
  );
});

test('the overview can be filtered by type, group, active flag, and text in the name or target', async () => {
  const scope = scopeOf(ONE_OF_EACH);
  assert.equal(await idsIn(scope, { type: ['tcp'] }), [DOWN]);
  assert.equal(await idsIn(scope, { group_id: GROUP }), [UP]);
  assert.equal(await idsIn(scope, { group_id: null }), [DOWN, PENDING, PAUSED]);
  assert.equal(await idsIn(scope, { active: false }), [PAUSED]);
  assert.equal(await idsIn(scope, { q: 'DELTA' }), [PAUSED]);
  assert.equal(await idsIn(scope, { q: 'db.example:54' }), [DOWN]);
  assert.equal(await idsIn(scope, { q: '/CART' }), [UP]);
  assert.equal(await idsIn(scope, { q: '.*' }), []);
});

test('the checks of a paused group are paused since the time when the group was paused', async () => {
  const scope = scopeOf([...ONE_OF_EACH, paused, checkUpdated({ name: 'Shop' }, { name: 'Shop' })]);
  const row = async (in_: ObservedScope) => (await pageOf(in_)).items.find(({ id }) => id === UP);
  assert.equal([(await row(scope))?.status, (await row(scope))?.since], ['paused', '2026-11-20T15:00:07.000000']);
  const after = scopeOf([...ONE_OF_EACH, paused, resumed]);
  assert.equal([(await row(after))?.status, (await row(after))?.since], ['up', '2026-11-20T14:00:00.000000']);
});

test('a deleted group is not shown in the overview, and does not pause its checks', async () => {
  const scope = scopeOf([...ONE_OF_EACH, paused, groupDeleted]);
  const row = (await pageOf(scope)).items.find(({ id }) => id === UP);
  assert.equal([row?.group_id, row?.status], [null, 'up']);
  assert.equal(await idsIn(scope, { group_id: GROUP }), []);
});

test('checks of other organizations and deleted checks are not in the overview', async () => {
  const facts = [checkCreated(), checkDeleted, ...ONE_OF_EACH];
  assert.not((await idsIn(scopeOf(facts))).includes(CHECK));
  const theirs = scopeOf(facts, { organizationId: OTHER_ORGANIZATION });
  assert.equal((await pageOf(theirs)).counts, { down: 0, pending: 0, up: 0, paused: 0 });
});

test('the overview can be sorted by each field in both directions, with missing values at the end', async () => {
  const scope = scopeOf([
    ...ONE_OF_EACH,
    ran(UP, '2026-11-20T15:50:00.000000', { response_time: 300 }),
    ran(DOWN, '2026-11-20T15:50:00.000000', { response_time: 20, status: 'failed' }),
    ran(PENDING, '2026-11-20T15:50:00.000000', { response_time: 100 }),
  ]);
  const sorted = (sort: Sort) => idsIn(scope, {}, sort);
  assert.equal(await sorted('name'), [UP, DOWN, PAUSED, PENDING]);
  assert.equal(await sorted('-name'), [PENDING, PAUSED, DOWN, UP]);
  assert.equal(await sorted('-status'), [PAUSED, UP, PENDING, DOWN]);
  assert.equal(await sorted('since'), [UP, PAUSED, DOWN, PENDING]);
  assert.equal(await sorted('-since'), [DOWN, PAUSED, UP, PENDING]);
  assert.equal(await sorted('response_time'), [DOWN, PENDING, UP, PAUSED]);
  assert.equal(await sorted('-response_time'), [UP, PENDING, DOWN, PAUSED]);
  assert.equal(await sorted('uptime_30d'), [DOWN, UP, PENDING, PAUSED]);
  assert.equal(await sorted('-uptime_24h'), [UP, PENDING, DOWN, PAUSED]);
});

test('the overview shows the check that went down most recently first', async () => {
  const later = wentDown({ check_id: PENDING, at: '2026-11-20T15:30:00.000000' });
  assert.equal((await idsIn(scopeOf([...ONE_OF_EACH, later]))).slice(0, 2), [PENDING, DOWN]);
});

test('the pages of the overview do not overlap, and a page beyond the last one is empty', async () => {
  const scope = scopeOf(ONE_OF_EACH);
  const page = async (number: number) => (await pageOf(scope, {}, 'name', { page: number, size: 3 })).items;
  assert.equal(
    [...(await page(1)), ...(await page(2)), ...(await page(3))].map(({ name }) => name),
    ['Alpha', 'Beta', 'delta', 'Gamma'],
  );
  assert.equal(await page(Number.MAX_SAFE_INTEGER), []);
});

test('a page of the overview takes four queries for any number of checks', async () => {
  const many = Array.from({ length: 30 }, (_, number) => checkOf(`check${number.toString().padStart(7, '0')}`));
  for (const [facts, how] of [
    [ONE_OF_EACH, ['getMany', 'getMany']],
    [
      [...ONE_OF_EACH, ...many],
      ['pick', 'find'],
    ],
  ] as const) {
    const scope = scopeOf(facts);
    await pageOf(scope);
    const [activity, sums] = how;
    assert.equal([...scope.reads].sort(), [
      `check_activity.${activity}`,
      'check_groups.find',
      'check_rows.find',
      `check_sums.${sums}`,
    ]);
  }
});

test('rows that are read by id equal those of the overview', async () => {
  const scope = scopeOf([...ONE_OF_EACH, paused, ran(UP, '2026-11-20T15:50:00.000000')]);
  const { items } = await pageOf(scope, {}, 'name');
  assert.equal(await readOverviewRows(scope, [UP, 'check00none', PAUSED]), [items[0], items[2]]);
  assert.equal(await readOverviewRows({ ...scope, organizationId: OTHER_ORGANIZATION }, [UP]), []);
});

test('an hour that ends between two queries of the overview is counted once', async () => {
  const before = [checkOf(UP), ran(UP, '2026-11-20T14:10:00.000000'), ran(UP, '2026-11-20T14:20:00.000000')];
  const failed = ran(UP, '2026-11-20T15:10:00.000000', { status: 'failed', response_time: null });
  const earlier = scopeOf(before);
  const later = scopeOf([...before, failed]);
  const read: typeof earlier.read = (projection) => ({
    ...later.read(projection),
    ...('check_activity' in projection.collections && {
      check_activity: (earlier.read(projection) as Record<string, unknown>)['check_activity'],
    }),
  });
  const figures = (await readOverviewStatistics({ ...earlier, read }, [UP])).get(UP);
  assert.equal(figures?.hours[21], 12);
  assert.is(figures?.uptime_24h, 100);
});

test.run();
