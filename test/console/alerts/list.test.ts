import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  conditionsOf,
  filterOf,
  alertMatches,
  alertListPath,
  withSeverity,
  type Row,
} from '../../../console/screens/alerts/filter.ts';
import { orderOf, withRows, type AlertPage } from '../../../console/screens/alerts/page.ts';

const test = suite('the alert list in the console');

const row = (id: string, more: Partial<Row> = {}): Row => ({
  id,
  title: 'Shop is down',
  status: 'firing',
  severity: 'high',
  is_active: more.status !== 'resolved',
  rule_id: 'rule',
  rule_name: 'Pager',
  check_id: 'check',
  check_name: 'Shop',
  fired_at: `2026-11-20T15:00:0${id}.000000`,
  acknowledged_at: null,
  acknowledged_by_id: null,
  resolved_at: null,
  resolved_by_id: null,
  resolution: null,
  ...more,
});
const filter = (query = '') => filterOf(new URLSearchParams(query));
const page = (rows: readonly Row[], more: Partial<AlertPage> = {}): AlertPage => ({
  rows: new Map(rows.map((one) => [one.id, one])),
  total: rows.length,
  hasNext: false,
  ...more,
});

test('the URL of the alert list contains its filter, which defaults to active alerts', () => {
  assert.is(filter().status, 'active');
  for (const query of ['', '?status=resolved&severity=critical%2Clow&check_id=c&rule_id=r&q=a+b&page=3']) {
    assert.is(alertListPath(filter(query)), `/alerts${query}`);
  }
  assert.is(alertListPath(filter('status=open&severity=huge&page=-1&q=+')), '/alerts');
  assert.equal(conditionsOf(filter('severity=low&q=+x')), { status: ['active'], severity: ['low'], q: 'x' });
  assert.equal(conditionsOf(filter('status=all')), {});
});

test('the alert list filters changed alerts by the same conditions as the API', () => {
  const alert = row('1');
  for (const query of ['', 'status=firing', 'status=all', 'severity=high', 'q=SHOP', 'q=page', 'check_id=check']) {
    assert.ok(alertMatches(alert, filter(query)), query);
  }
  for (const query of ['status=resolved', 'status=acknowledged', 'severity=low', 'q=cart', 'rule_id=other']) {
    assert.not.ok(alertMatches(alert, filter(query)), query);
  }
});

test('selecting a severity in the alert list toggles it and returns to the first page', () => {
  const both = withSeverity(filter('severity=low&page=4'), 'critical');
  assert.equal([both.severities, both.page], [['critical', 'low'], 1]);
  assert.equal(withSeverity(both, 'low').severities, ['critical']);
});

test('the alert list adds alerts that fire, and removes alerts that no longer match the filter', () => {
  const active = filter();
  const before = page([row('1'), row('2')]);
  const after = withRows(before, [row('1', { status: 'resolved' }), row('3')], active);
  assert.ok(after);
  assert.equal([orderOf(after, active), after.total], [['3', '2'], 2]);
  // The row of the removed alert stays cached, because it may still be shown while the pointer is over it.
  assert.is(after.rows.get('1')?.status, 'resolved');
  assert.is(withRows(after, [row('1', { status: 'resolved' })], active)?.total, 2);
});

test('the alert list is reloaded if a removed alert makes room for one of the next page', () => {
  const more = { hasNext: true, total: 200 };
  const resolved = row('1', { status: 'resolved' });
  assert.is(withRows(page([row('1')], more), [resolved], filter()), null);
  assert.is(withRows(page([], more), [resolved], filter()), null);
  assert.is(withRows(page([], more), [row('1')], filter('status=resolved'))?.total, 200);
  assert.is(withRows(page([], { ...more }), [row('1')], filter('page=2'))?.rows.size, 0);
});

test.run();
