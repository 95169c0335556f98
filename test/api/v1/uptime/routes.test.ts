import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../service.ts';
import { createStatusPage, invalidFields } from '../pages/status-page.ts';
import { HOUR_SECONDS } from '../../../../domain/time.ts';

const test = suite('uptime of components');
const service = await startService({ now: Date.UTC(2026, 0, 1) });
const { request, first, second } = service;
test.after(() => service.stop());
const on = (time: string): void => {
  service.time.now = Date.parse(`${time}Z`);
};
test.before.each(() => {
  on('2026-01-01T00:00');
});

const YEAR = { start_date: '2026-01-01' };
const NOTHING = 'Nothing was measured: the component did not exist or was under maintenance during the whole range.';

test('an outage counts from the update that starts it to the update that ends it', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API', YEAR);
  on('2026-11-18T06:00');
  const { id } = await page.open({ components: { [api]: 'major_outage' } });
  on('2026-11-18T12:00');
  await page.change(id, { components: { [api]: 'partial_outage' }, body: 'Better.' });
  on('2026-11-18T22:00');
  await page.change(id, { components: { [api]: 'operational' }, status: 'resolved', body: 'Done.' });
  on('2026-11-20T12:00');
  assert.equal(await page.uptime(api, '?start=2026-11-18&end=2026-11-18'), {
    id: api,
    name: 'API',
    range_start: '2026-11-18',
    range_end: '2026-11-18',
    uptime_percentage: 62.5,
    major_outage: 6 * HOUR_SECONDS,
    partial_outage: 10 * HOUR_SECONDS,
    warnings: [],
    related_events: { id: [id] },
  });
  const open = await page.open({ components: { [api]: 'degraded_performance' } });
  const future = await page.uptime(api, '?start=2026-12-01&end=2026-12-31');
  assert.equal(
    [future.range_start, future.range_end, future.uptime_percentage, future.warnings, future.related_events],
    ['2026-12-01', '2026-12-31', 100, [NOTHING], { id: [] }],
  );
  assert.equal((await page.uptime(api)).related_events, { id: [open.id, id] });
  const without = await page.uptime(api, '?start=2026-11-19&end=2026-11-19');
  assert.equal([without.uptime_percentage, without.major_outage, without.related_events], [100, 0, { id: [] }]);
});

test('by default, uptime covers the last 90 days, or the time since the start of a component that started later', async () => {
  const page = await createStatusPage(service, { time_zone: 'Asia/Tokyo' });
  const old = await page.addComponent('Old', YEAR);
  on('2026-11-20T12:00');
  const young = await page.addComponent('Young');
  on('2026-11-20T16:00');
  const ranges = await page.uptimes([young, old]);
  assert.equal(
    ranges.map(({ range_start, range_end, warnings }) => [range_start, range_end, warnings]),
    [
      ['2026-11-20', '2026-11-21', []],
      ['2026-08-23', '2026-11-21', []],
    ],
  );
});

test('partial dates and dates out of range are accepted with warnings', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API', { start_date: '2026-02-10' });
  on('2026-11-20T12:00');
  const { range_start, range_end, warnings } = await page.uptime(api, '?start=2025&end=2026-12');
  assert.equal([range_start, range_end], ['2026-05-21', '2026-11-20']);
  assert.is(warnings.length, 3);
  const before = await page.uptime(api, '?start=2024&end=2025-03');
  assert.equal(
    [before.range_start, before.range_end, before.uptime_percentage, before.warnings],
    ['2024-01-01', '2025-03-31', 100, [NOTHING]],
  );
});

test('invalid dates in the query are 400, before ids in the body are checked', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API', YEAR);
  on('2026-11-20T12:00');
  const single = `${page.path}/components/${api}/uptime`;
  const bulk = `${page.path}/components/uptime`;
  assert.equal(invalidFields(await request('GET', `${single}?start=x&end=2026-13`), 400), ['end', 'start']);
  assert.equal(invalidFields(await request('GET', `${single}?start=2026-11-02&end=2026-11-01`), 400), ['start']);
  const body = { component_ids: ['k3v9x0q2m7ab'] };
  assert.equal(invalidFields(await request('POST', `${bulk}?start=2026-11-02&end=2026-11-01`, { body }), 400), [
    'start',
  ]);
});

test('a bulk request for uptime returns results in the order of its ids and names unknown ids', async () => {
  const page = await createStatusPage(service);
  const [a, b] = [await page.addComponent('A', YEAR), await page.addComponent('B', YEAR)];
  assert.equal(
    (await page.uptimes([b, a, b])).map(({ id }) => id),
    [b, a, b],
  );
  const bulk = `${page.path}/components/uptime`;
  const elsewhere = await (await createStatusPage(service)).addComponent('C');
  const body = { component_ids: [a, 'k3v9x0q2m7ab', elsewhere] };
  assert.equal(invalidFields(await request('POST', bulk, { body })), ['component_ids.1', 'component_ids.2']);
  assert.equal(invalidFields(await request('POST', bulk, { body: { component_ids: [a, 5, elsewhere, 'x'] } })), [
    'component_ids.1',
    'component_ids.2',
    'component_ids.3',
  ]);
  assert.equal(invalidFields(await request('POST', bulk, { body: { component_ids: [] } })), ['component_ids']);
  const many = Array.from({ length: 1_001 }, () => a);
  assert.equal(invalidFields(await request('POST', bulk, { body: { component_ids: many } })), ['component_ids']);
});

test('a group has the mean uptime of its components, and 100 if it has no components', async () => {
  const page = await createStatusPage(service);
  const group = await page.addComponent('All', { group: true, ...YEAR });
  const empty = await page.addComponent('None', { group: true, ...YEAR });
  const [a, b] = [
    await page.addComponent('A', { group_id: group, ...YEAR }),
    await page.addComponent('B', { group_id: group, ...YEAR }),
  ];
  on('2026-11-18T00:00');
  const one = await page.open({ components: { [a]: 'major_outage' } });
  const two = await page.open({ components: { [b]: 'partial_outage' } });
  on('2026-11-18T12:00');
  await page.set(a, 'operational');
  await page.set(b, 'operational');
  on('2026-11-20T12:00');
  const [all, none] = await page.uptimes([group, empty], '?start=2026-11-18&end=2026-11-18');
  assert.equal(
    [all?.uptime_percentage, all?.major_outage, all?.partial_outage],
    [67.5, 6 * HOUR_SECONDS, 6 * HOUR_SECONDS],
  );
  assert.equal([...(all?.related_events.id ?? [])].sort(), [one.id, two.id].sort());
  assert.equal([none?.uptime_percentage, none?.major_outage, none?.partial_outage], [100, 0, 0]);
});

test('edits, deletions and past incidents change earlier uptime', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API', YEAR);
  const day = async () => (await page.uptime(api, '?start=2026-11-10&end=2026-11-10')).major_outage;
  on('2026-11-12T00:00');
  const { id, incident_updates } = await page.open({ components: { [api]: 'major_outage' } });
  on('2026-11-12T06:00');
  await page.change(id, { components: { [api]: 'operational' }, status: 'resolved' });
  on('2026-11-20T12:00');
  assert.is(await day(), 0);
  await page.edit(id, incident_updates[0]?.id ?? '', { created_at: '2026-11-10T20:00:00Z' });
  assert.is(await day(), 4 * HOUR_SECONDS);
  const past = await page.logPast({
    incident_updates: [
      { body: 'x', status: 'investigating', created_at: '2026-11-10T02:00:00Z', components: { [api]: 'major_outage' } },
      { body: 'x', status: 'resolved', created_at: '2026-11-10T03:30:00Z' },
    ],
  });
  assert.is(await day(), 5.5 * HOUR_SECONDS);
  await request('DELETE', `${page.incidents}/${id}`);
  assert.is(await day(), 1.5 * HOUR_SECONDS);
  assert.equal((await page.uptime(api, '?start=2026-11-10&end=2026-11-10')).related_events, { id: [past.id] });
  assert.is((await page.component(api)).status, 'operational');
});

test('maintenance time is excluded from uptime', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API', YEAR);
  on('2026-11-10T00:00');
  const maintenance = await page.open({
    status: 'scheduled',
    components: { [api]: 'under_maintenance' },
    scheduled_for: '2026-11-11T00:00:00Z',
    scheduled_until: '2026-11-11T12:00:00Z',
  });
  on('2026-11-11T00:00');
  await page.change(maintenance.id, { status: 'in_progress' });
  on('2026-11-11T06:00');
  await page.open({ components: { [api]: 'major_outage' } });
  on('2026-11-11T12:00');
  await page.change(maintenance.id, { status: 'completed' });
  on('2026-11-11T15:00');
  await page.set(api, 'operational');
  on('2026-11-20T12:00');
  const { uptime_percentage, major_outage } = await page.uptime(api, '?start=2026-11-11&end=2026-11-11');
  assert.equal([uptime_percentage, major_outage], [75, 3 * HOUR_SECONDS]);
});

test('uptime uses days in the time zone of the page, even on days when daylight saving time begins or ends', async () => {
  const page = await createStatusPage(service, { time_zone: 'Europe/Berlin' });
  const api = await page.addComponent('API', YEAR);
  on('2026-10-24T20:00');
  await page.set(api, 'major_outage');
  on('2026-10-25T10:00');
  await page.set(api, 'operational');
  on('2026-11-20T12:00');
  // The outage lasts from 00:00 to 11:00, which are 12 of the 25 hours of this day.
  const { major_outage, uptime_percentage } = await page.uptime(api, '?start=2026-10-25&end=2026-10-25');
  assert.equal([major_outage, uptime_percentage], [12 * HOUR_SECONDS, 52]);
});

test('viewers read uptime of their own organization only', async () => {
  const page = await createStatusPage(service);
  const api = await page.addComponent('API', YEAR);
  const bulk = `${page.path}/components/uptime`;
  const body = { component_ids: [api] };
  assert.is((await request('POST', bulk, { body, key: first.keys.viewer })).status, 200);
  assert.is((await request('POST', bulk, { body, key: first.keys.billing })).status, 200);
  assert.is((await request('POST', bulk, { body, key: second.keys.admin })).status, 404);
  assert.is((await request('GET', `${page.path}/components/${api}/uptime`, { key: second.keys.admin })).status, 404);
  assert.is((await request('GET', `${page.path}/components/k3v9x0q2m7ab/uptime`)).status, 404);
});

test.run();
