import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventTypes } from '../../../domain/event-types.ts';
import { CONSOLE_WORDS } from '../../../messages/console-words/index.ts';
import { conventionsOf } from '../../../projections/audit/conventions.ts';
import { exportPath, filterOf, queryOf, requestOf } from '../../../console/screens/audit/filter.ts';
import { RESOURCE_TYPES, screenOf, valueText, verbOf } from '../../../console/screens/audit/entry.ts';

const test = suite('the audit log in the console');

test('the URL of the audit log contains its filter, its page and the reference time of the pages', () => {
  const text =
    '?actor=k3v9x0q2m7ab&type=check&from=2026-11-20&until=2026-11-21&page=3&as_of=2026-11-21T10:00:00.000000';
  const filter = filterOf(new URLSearchParams(text));
  assert.equal(filterOf(new URLSearchParams(queryOf(filter))), filter);
  assert.is(filter.page, 3);
  assert.is(queryOf(filterOf(new URLSearchParams('?page=-3&from=yesterday'))), '');
});

test('the date filter of the audit log covers whole days in the time zone of the browser, including the last day', () => {
  const filter = filterOf(new URLSearchParams('?from=2026-11-20&until=2026-11-20'));
  const { start_date = '', end_date = '' } = requestOf(filter);
  const [start, end] = [start_date, end_date].map((instant) => new Date(`${instant}Z`));
  assert.equal([start?.getFullYear(), start?.getMonth(), start?.getDate(), start?.getHours()], [2026, 10, 20, 0]);
  assert.equal([end?.getFullYear(), end?.getMonth(), end?.getDate(), end?.getHours()], [2026, 10, 21, 0]);
});

test('an export of the audit log contains all entries that match the filter, not only those of the current page', () => {
  const filter = filterOf(new URLSearchParams('?actor=k3v9x0q2m7ab&type=check&page=2'));
  assert.is(exportPath(filter, 'csv'), 'v1/audit?format=csv&actor_id=k3v9x0q2m7ab&resource_type=check');
});

test('the audit log links to screens of resources that still exist', () => {
  const entry = { resource_type: 'alert_rule', resource_id: 'k3v9x0q2m7ab' };
  assert.is(screenOf({ ...entry, action: 'alert_rule.updated' }), '/alerts/rules/k3v9x0q2m7ab');
  assert.is(screenOf({ ...entry, action: 'alert_rule.deleted' }), null);
  assert.is(screenOf({ action: 'note.created', resource_type: 'note', resource_id: 'x' }), null);
});

test('the audit log shows values in one line, and truncates long ones', () => {
  assert.is(valueText(null), null);
  assert.is(valueText(''), null);
  assert.is(valueText('Shop'), 'Shop');
  assert.is(valueText(['a', 'b']), '["a","b"]');
  assert.is(valueText(false), 'false');
  assert.is(valueText('x'.repeat(500))?.length, 301);
});

test('the audit log has texts for every resource and for every action derived from event names', async () => {
  const { audit } = await CONSOLE_WORDS.en();
  const resources: Readonly<Record<string, string>> = audit.resources;
  const verbs: Readonly<Record<string, string>> = audit.verbs;
  for (const type of RESOURCE_TYPES) assert.ok(resources[type], type);
  for (const [category, types] of Object.entries(eventTypes)) {
    const conventions = conventionsOf(category);
    if (!Object.keys(types).some((type) => conventions[type])) continue;
    assert.ok(resources[category], category);
  }
  for (const verb of ['created', 'updated', 'deleted']) assert.ok(verbs[verb], verb);
  assert.is(verbOf({ action: 'check_group.updated', resource_type: 'check_group' }), 'updated');
});

test.run();
