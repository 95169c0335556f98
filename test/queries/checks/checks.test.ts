import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MASKED_TEXT } from '../../../domain/masking.ts';
import { defaultRegionOf, REGIONS } from '../../../domain/check/regions.ts';
import { NO_RUNNER, type ServedRegions } from '../../../domain/check/missing-runners.ts';
import { NotFound } from '../../../domain/errors.ts';
import { showCheck, listChecks } from '../../../queries/checks/checks.ts';
import { findDeletedChecks, findCheck, hasCheck } from '../../../queries/checks/find.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { CHECK, checkCreated, checkDeleted, ORGANIZATION, parked } from '../../domain/check/examples.ts';
import { ranOk } from '../../domain/check-result/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { rejects } from '../../rejects.ts';
import { OTHER_ORGANIZATION, scopeOf } from '../engine/scope.ts';

const test = suite('queries of checks');

/** Abilities of runners that support all check types in every region. */
const ALL: ServedRegions = {
  defaultRegion: defaultRegionOf(REGIONS),
  abilities: new Map(REGIONS.map(({ id }) => [id, ['web', 'tcp']])),
};
const options = { reveal: false, served: async () => ALL };

const checkOf = (id: string, fields: Parameters<typeof checkCreated>[0] = {}): Fact => {
  const { type, data } = checkCreated(fields);
  return { type, data: { ...data, check_id: id }, stream: `check-${id}` };
};
const ran = (result_id: string, recorded_at: string, fields: Parameters<typeof ranOk>[0] = {}): Fact => ({
  ...ranOk({ result_id, ...fields }),
  metadata: { recorded_at },
});

test('a check of another organization and a deleted check are not found', async () => {
  const scope = scopeOf([checkCreated()]);
  assert.is((await findCheck(scope, CHECK)).id, CHECK);
  const theirs = { ...scope, organizationId: OTHER_ORGANIZATION };
  await rejects(findCheck(theirs, CHECK), NotFound, 'There is no such check.');
  assert.is(await hasCheck(theirs, CHECK), false);
  const after = scopeOf([checkCreated(), checkDeleted]);
  await rejects(findCheck(after, CHECK), NotFound);
  assert.equal(await findDeletedChecks(after), [CHECK]);
});

test('a check shows when it last ran', async () => {
  const scope = scopeOf([checkCreated(), ran('result000001', '2026-11-20T15:30:00.000000')]);
  assert.is((await showCheck(scope, CHECK, options)).last_checked_at, '2026-11-20T15:30:00.000000');
});

test('secrets of a check are masked unless they are revealed, and other sealed texts are always decrypted', async () => {
  const keys = createMemoryKeys();
  const seal = (text: string, name: string) =>
    keys.seal(`check-${CHECK}`, text, { organizationId: ORGANIZATION, field: `parameters.http_request.${name}` });
  const http_request = { username: await seal('bob', 'username'), password: await seal('hush', 'password') };
  const scope = scopeOf([checkCreated({ parameters: { http_request } })], { keys });
  const shown = async (reveal: boolean) => (await showCheck(scope, CHECK, { ...options, reveal })).parameters;
  assert.equal(await shown(false), { http_request: { username: 'bob', password: MASKED_TEXT } });
  assert.equal(await shown(true), { http_request: { username: 'bob', password: 'hush' } });
});

test('a check shows that its runs are suspended because it is parked or no runner serves its region', async () => {
  const reasonOf = async (facts: Fact[], served: ServedRegions): Promise<string | null> =>
    (await showCheck(scopeOf(facts), CHECK, { reveal: false, served: async () => served })).suspended_reason;
  const nobody = { ...ALL, abilities: new Map() };
  assert.is(await reasonOf([checkCreated()], ALL), null);
  assert.is(await reasonOf([checkCreated()], nobody), NO_RUNNER);
  assert.is(await reasonOf([checkCreated({ active: false })], nobody), null);
  assert.match((await reasonOf([checkCreated(), parked()], ALL)) ?? '', 'probe');
});

test('a list of checks queries the runners once, and only if a check has no recent results', async () => {
  const facts = [checkOf('check0000001'), checkOf('check0000002')];
  let times = 0;
  const counting = { reveal: false, served: async () => (times++, ALL) };
  await listChecks(scopeOf(facts), {}, { page: 1, size: 20 }, counting);
  assert.is(times, 1);
  times = 0;
  await listChecks(scopeOf(facts, { now: '2026-11-20T15:00:10.000000' }), {}, { page: 1, size: 20 }, counting);
  assert.is(times, 0);
});

test('a list of checks reads all related objects with one query each', async () => {
  const scope = scopeOf(Array.from({ length: 15 }, (_, index) => checkOf(`check${index.toString().padStart(7, '0')}`)));
  const { items, total } = await listChecks(scope, {}, { page: 1, size: 10 }, options);
  assert.is(items.length, 10);
  assert.is(total, 15);
  assert.equal([...scope.reads].sort(), ['check_activity.getMany', 'checks.count', 'checks.find', 'organizations.get']);
});

test('a list of checks applies each filter, and contains no checks of other organizations', async () => {
  const facts = [
    checkOf('check0000001', { name: 'Shop' }),
    checkOf('check0000002', { name: 'Mail', type: 'tcp', host: 'mail.example', url: null, port: 25 }),
    { ...checkOf('check0000003', { name: 'Shop of others' }), metadata: { organization_id: OTHER_ORGANIZATION } },
  ].map((fact, index) =>
    index === 2 ? { ...fact, data: { ...fact.data, organization_id: OTHER_ORGANIZATION } } : fact,
  ) as Fact[];
  const names = async (filters: Parameters<typeof listChecks>[1]): Promise<string[]> =>
    (await listChecks(scopeOf(facts), filters, { page: 1, size: 20 }, options)).items.map(({ name }) => name);
  assert.equal(await names({}), ['Mail', 'Shop']);
  assert.equal(await names({ type: ['tcp'] }), ['Mail']);
  assert.equal(await names({ name: 'SHO' }), ['Shop']);
  assert.equal(await names({ status: ['up'] }), []);
  assert.equal(await names({ group_id: null }), ['Mail', 'Shop']);
  assert.equal(await names({ group_id: 'group0000001' }), []);
});

test('a check contains its uptime if a period is given', async () => {
  const scope = scopeOf([checkCreated(), ran('result000001', '2026-11-20T15:30:00.000000')]);
  assert.is((await showCheck(scope, CHECK, options)).uptime, null);
  const { uptime } = await showCheck(scope, CHECK, { ...options, uptime: {} });
  assert.equal(uptime?.uptime_summary, {
    uptime_percentage: 100,
    total_checks: 1,
    successful_checks: 1,
    failed_checks: 0,
    avg_response_time: 12,
  });
  assert.is(uptime?.start_time, '2026-11-19T16:00:00.000000');
  assert.is(uptime?.end_time, scope.now);
});

test.run();
