import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findPage } from '../../../queries/pages/pages.ts';
import {
  activeIncidents,
  listIncidentsBetween,
  searchIncidents,
  upcomingMaintenances,
} from '../../../queries/pages/public-incidents.ts';
import { appended, at, opened, scheduled, update, withheld } from '../../domain/incident/examples.ts';
import { PAGE, pageCreated } from '../../domain/page/examples.ts';
import { scopeOf } from '../engine/scope.ts';

const test = suite('the incidents that visitors of a page see');

const DAY = { from: at('00:00'), until: at('23:59'), limit: 10 };
const NAMED = opened({ body: 'We look into the shop.' }, { name: 'Checkout fails' });
const idsOf = (found: readonly { id: string }[]): string[] => found.map(({ id }) => id);

test('visitors find incidents by their name and the texts of their updates, case-insensitively', async () => {
  const scope = scopeOf([pageCreated(), NAMED, appended(update('u2', '11:00', { body: 'A Deploy was rolled back.' }))]);
  const page = await findPage(scope, PAGE);
  for (const text of ['checkout', 'SHOP', 'deploy'])
    assert.equal(idsOf(await searchIncidents(scope, page, text, DAY)), ['incident'], text);
  assert.equal(idsOf(await searchIncidents(scope, page, 'invoices', DAY)), []);
  assert.equal(idsOf(await searchIncidents(scope, page, 'shop', { ...DAY, componentId: 'web' })), []);
  assert.equal(idsOf(await searchIncidents(scope, page, 'shop', { ...DAY, from: at('12:00') })), []);
});

test('visitors cannot find incidents by a withheld text', async () => {
  const scope = scopeOf([pageCreated(), NAMED, withheld('u1', '12:00')]);
  const page = await findPage(scope, PAGE);
  assert.equal(idsOf(await searchIncidents(scope, page, 'shop', DAY)), []);
});

test('the public list of active incidents contains unresolved ones, and past incidents are listed by their opening time', async () => {
  const scope = scopeOf([pageCreated(), NAMED]);
  const page = await findPage(scope, PAGE);
  assert.equal(idsOf((await activeIncidents(scope, page)).shown), ['incident']);
  assert.equal(idsOf(await listIncidentsBetween(scope, page, DAY)), ['incident']);
  assert.equal(idsOf(await listIncidentsBetween(scope, page, { ...DAY, until: at('09:00') })), []);
});

test('the public list of past incidents does not contain a maintenance that has not begun', async () => {
  const scope = scopeOf([pageCreated(), scheduled()]);
  const page = await findPage(scope, PAGE);
  assert.is((await upcomingMaintenances(scope, page)).length, 1);
  assert.equal(idsOf(await listIncidentsBetween(scope, page, DAY)), []);
  assert.equal(idsOf(await searchIncidents(scope, page, '', DAY)), []);
});

test.run();
