import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findCheckOfAny, findChecksById, readAllChecks } from '../../../queries/checks/all-checks.ts';
import { CHECK, checkCreated, checkDeleted } from '../../domain/check/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { scopeOf } from '../engine/scope.ts';

const test = suite('queries of the checks of all organizations');

const MANY = 2_300;
const idOf = (index: number): string => `check${index.toString().padStart(7, '0')}`;
const many = Array.from({ length: MANY }, (_, index): Fact => {
  const { type, data } = checkCreated({ active: index % 2 === 0 });
  return { type, data: { ...data, check_id: idOf(index), organization_id: `org${index % 3}` } };
});

test('checks of all organizations are returned once each, in pages of a thousand', async () => {
  const scope = scopeOf(many);
  const pages: string[][] = [];
  for await (const page of readAllChecks(scope)) pages.push(page.map(({ id }) => id));
  assert.equal(
    pages.map(({ length }) => length),
    [1_000, 1_000, 300],
  );
  assert.equal(
    pages.flat(),
    Array.from({ length: MANY }, (_, index) => idOf(index)),
  );
  assert.is(scope.reads.length, 3);
});

test('checks of all organizations can be filtered by a condition', async () => {
  let found = 0;
  for await (const page of readAllChecks(scopeOf(many), { active: true })) found += page.length;
  assert.is(found, MANY / 2);
});

test('the query for checks of all organizations returns no page if there are no checks', async () => {
  for await (const page of readAllChecks(scopeOf([]))) assert.unreachable(`${page.length} checks`);
});

test('checks of all organizations do not include deleted checks', async () => {
  const before = scopeOf([checkCreated()]);
  assert.is((await findCheckOfAny(before, CHECK))?.id, CHECK);
  assert.is(await findCheckOfAny(before, 'nobody'), null);
  const after = scopeOf([checkCreated(), checkDeleted]);
  assert.is(await findCheckOfAny(after, CHECK), null);
  assert.equal(await findChecksById(after, [CHECK]), []);
});

test.run();
