import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MASKED_TEXT } from '../../../domain/masking.ts';
import { NotFound } from '../../../domain/errors.ts';
import { listAllResults } from '../../../queries/check-results/all-results.ts';
import { latestResults, listResults, resultOfCheck } from '../../../queries/check-results/results.ts';
import { findCheck } from '../../../queries/checks/find.ts';
import { CHECK, checkCreated, checkDeleted } from '../../domain/check/examples.ts';
import { ranDown, ranOk, SERVER } from '../../domain/check-result/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { rejects } from '../../rejects.ts';
import { OTHER_ORGANIZATION, scopeOf } from '../engine/scope.ts';

const test = suite('queries of results');

const ALL = { page: 1, size: 100 };
const MASKED = { reveal: false };

/** Returns a result that was recorded this many minutes after 15:00. */
const ran = (minute: number, fields: Parameters<typeof ranOk>[0] = {}, run = ranOk): Fact => {
  const number = minute.toString().padStart(2, '0');
  return {
    ...run({ result_id: `result0000${number}`, run_id: `run0000000${number}`, ...fields }),
    metadata: { recorded_at: `2026-11-20T15:${number}:00.000000` },
  };
};
const idsOf = ({ items }: { items: readonly { id: string }[] }): string[] => items.map(({ id }) => id);

test('results of a check are listed newest first with their servers, and each server is read once', async () => {
  const scope = scopeOf([checkCreated(), ran(1), ran(2), ran(3, {}, ranDown)]);
  const check = await findCheck(scope, CHECK);
  scope.reads.length = 0;
  const found = await listResults(scope, check, {}, ALL, MASKED);
  assert.equal(idsOf(found), ['result000003', 'result000002', 'result000001']);
  assert.ok(found.items.every(({ check_server }) => check_server.id === SERVER.id));
  assert.equal(scope.reads.sort(), ['check_results.count', 'check_results.find', 'check_servers.getMany']);
});

test('a result past retention is found by its id, but is in no list', async () => {
  const resultsFrom = () => '2026-11-20T15:02:00.000000';
  const scope = scopeOf([checkCreated(), ran(1), ran(2)], { resultsFrom });
  const check = await findCheck(scope, CHECK);
  const early = { start_date: '2026-11-20T00:00:00.000000' };
  assert.equal(idsOf(await listResults(scope, check, early, ALL, MASKED)), ['result000002']);
  assert.equal(idsOf(await listAllResults(scope, early, ALL, MASKED)), ['result000002']);
  assert.is((await resultOfCheck(scope, { check_id: CHECK, result_id: 'result000001' }, MASKED)).id, 'result000001');
  assert.equal(idsOf(await listAllResults(scope, { result_id: 'result000001' }, ALL, MASKED)), ['result000001']);
});

test('the latest results of a check are found at any age', async () => {
  const scope = scopeOf([checkCreated(), ran(1), ran(2), ran(3)], { resultsFrom: () => '2026-11-21T00:00:00.000000' });
  const found = await latestResults(scope, await findCheck(scope, CHECK), 2);
  assert.equal(
    found.map(({ id }) => id),
    ['result000003', 'result000002'],
  );
});

test('response bodies and sensitive headers of a result are masked unless they are revealed', async () => {
  const check_metadata = { headers: { 'set-cookie': 'sid=1', 'content-type': 'text/html' }, body_excerpt: 'Hi' };
  const scope = scopeOf([checkCreated(), ran(1, { check_metadata })]);
  const place = { check_id: CHECK, result_id: 'result000001' };
  assert.equal((await resultOfCheck(scope, place, MASKED)).check_metadata, {
    headers: { 'set-cookie': MASKED_TEXT, 'content-type': 'text/html' },
    body_excerpt: MASKED_TEXT,
  });
  assert.equal((await resultOfCheck(scope, place, { reveal: true })).check_metadata, check_metadata);
});

test('a result of another check or organization is not found', async () => {
  const scope = scopeOf([checkCreated(), ran(1), ran(2, { check_id: 'check0000002' })]);
  const theirs = { ...scope, organizationId: OTHER_ORGANIZATION };
  const place = { check_id: CHECK, result_id: 'result000002' };
  await rejects(resultOfCheck(scope, place, MASKED), NotFound, 'There is no such result.');
  await rejects(resultOfCheck(theirs, { ...place, result_id: 'result000001' }, MASKED), NotFound);
  assert.equal(await listAllResults(theirs, {}, ALL, MASKED), { items: [], total: 0 });
  assert.equal(await listAllResults(theirs, { result_id: 'result000001' }, ALL, MASKED), { items: [], total: 0 });
});

test('results of a deleted check are not in the list of all results', async () => {
  const facts = [checkCreated(), ran(1), ran(2, { check_id: 'check0000002' })];
  assert.is((await listAllResults(scopeOf(facts), {}, ALL, MASKED)).total, 2);
  const after = scopeOf([...facts, checkDeleted]);
  assert.equal(idsOf(await listAllResults(after, {}, ALL, MASKED)), ['result000002']);
  assert.equal(idsOf(await listAllResults(after, { check_id: CHECK }, ALL, MASKED)), []);
  assert.equal(idsOf(await listAllResults(after, { result_id: 'result000001' }, ALL, MASKED)), []);
});

test('the list of all results contains the name of each check, or null for a run without a check', async () => {
  const { check_id, ...data } = ranOk({ result_id: 'result000009', result_type: 'on_demand' }).data;
  const adHoc: Fact = {
    type: 'CheckRunCompleted',
    data,
    metadata: { recorded_at: '2026-11-20T15:09:00.000000' },
  };
  const scope = scopeOf([checkCreated({ name: 'Shop' }), ran(1), ran(2), adHoc]);
  const { items } = await listAllResults(scope, {}, ALL, MASKED);
  assert.equal(
    items.map(({ check_name }) => check_name),
    [null, 'Shop', 'Shop'],
  );
  assert.is(scope.reads.filter((read) => read === 'checks.getMany').length, 1);
  assert.is(check_id, CHECK);
});

test('a query for a single result has a total of 1 even if the requested page is empty', async () => {
  const scope = scopeOf([checkCreated(), ran(1)]);
  const single = { result_id: 'result000001' };
  assert.equal(await listAllResults(scope, single, { page: 2, size: 20 }, MASKED), { items: [], total: 1 });
});

test.run();
