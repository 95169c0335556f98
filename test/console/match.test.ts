import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { match } from '../../console/router/match.ts';
import { screenAt } from '../../console/router/screens.ts';

const test = suite('the paths of the console’s screens');

test('a screen matches its own paths, and gets the values of their parameters', () => {
  assert.equal(match('/', '/'), {});
  assert.equal(match('/checks', '/checks'), {});
  assert.equal(match('/checks/{check_id}', '/checks/x4w8b2h7t1zq'), { check_id: 'x4w8b2h7t1zq' });
  assert.equal(match('/pages/{page_id}/incidents/{incident_id}', '/pages/a%20b/incidents/c'), {
    page_id: 'a b',
    incident_id: 'c',
  });
});

test('a path that belongs to no screen is not matched', () => {
  assert.is(match('/checks', '/checks/x'), null);
  assert.is(match('/checks/{check_id}', '/checks'), null);
  assert.is(match('/checks/{check_id}', '/alerts/x'), null);
  assert.is(match('/{name}', '/'), null);
  assert.is(match('/checks/{check_id}', '/checks/%E0%A4%A'), null);
});

test('a path that matches several screens leads to the one with the fewest parameters', () => {
  assert.equal(screenAt('/checks')?.params, {});
  assert.equal(screenAt('/checks/x4w8b2h7t1zq')?.params, { check_id: 'x4w8b2h7t1zq' });
  assert.is(screenAt('/nowhere'), null);
});

test.run();
