import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../service.ts';
import { createStatusPage } from '../pages/status-page.ts';

const test = suite('uptime with explained intervals');
const service = await startService({ now: Date.UTC(2026, 10, 18) });
const { request, second } = service;
test.after(() => service.stop());
const on = (time: string): void => {
  service.time.now = Date.parse(`${time}Z`);
};

interface Interval {
  component_id: string;
  from: string;
  to: string;
  status: string | null;
  source: Record<string, string | null> | null;
  excluded: { rule: string; source: Record<string, string | null> | null } | null;
}

const clock = (interval: Interval): string => `${interval.from.slice(8, 16)} ${interval.to.slice(8, 16)}`;

on('2026-11-18T04:00');
const page = await createStatusPage(service);
const group = await page.addComponent('Shop', { group: true });
const api = await page.addComponent('API', { group_id: group, start_date: null });
on('2026-11-18T06:00');
const { id } = await page.open({ components: { [api]: 'major_outage' } });
on('2026-11-18T12:00');
await page.change(id, { components: { [api]: 'operational' }, status: 'resolved', body: 'Done.' });
on('2026-11-18T14:00');
await request('PATCH', `/v1/pages/${page.id}/components/${api}`, { body: { status: 'under_maintenance' } });
on('2026-11-18T16:00');
await request('PATCH', `/v1/pages/${page.id}/components/${api}`, { body: { status: 'operational' } });
on('2026-11-18T20:00');

const get = async (query: string): Promise<{ intervals?: Interval[]; truncated?: boolean }> =>
  (await request('GET', `/v1/pages/${page.id}/components/${api}/uptime?${query}`)).json() as never;

test('each uptime interval contains its status, the update or edit that set the status, and the rule that excludes the interval', async () => {
  const { intervals = [], truncated } = await get('start=2026-11-18&explain=true');
  assert.is(truncated, false);
  assert.equal(
    intervals.map((one) => [clock(one), one.status, one.source?.['kind'] ?? null, one.excluded?.rule ?? null]),
    [
      ['18T00:00 18T04:00', null, null, 'before_creation'],
      ['18T04:00 18T06:00', 'operational', 'creation', null],
      ['18T06:00 18T12:00', 'major_outage', 'incident', null],
      ['18T12:00 18T14:00', 'operational', 'incident', null],
      ['18T14:00 18T16:00', 'under_maintenance', 'edit', 'under_maintenance'],
      ['18T16:00 18T20:00', 'operational', 'edit', null],
      ['18T20:00 19T00:00', null, null, 'future'],
    ],
  );
  const incident = (await request('GET', `/v1/pages/${page.id}/incidents/${id}`)).json() as {
    incident_updates: { id: string; status: string }[];
  };
  const first = incident.incident_updates.find(({ status }) => status === 'investigating');
  assert.equal(intervals[2]?.source, {
    kind: 'incident',
    at: '2026-11-18T06:00:00.000000',
    incident_id: id,
    incident_update_id: first?.id,
    alert_id: null,
  });
});

test('the uptime statistics of a group contain the intervals of its components', async () => {
  const reply = await request('POST', `/v1/pages/${page.id}/components/uptime?start=2026-11-18&explain=true`, {
    body: { component_ids: [group, api] },
  });
  const [ofGroup, own] = reply.json() as { intervals: Interval[] }[];
  assert.equal(ofGroup?.intervals, own?.intervals);
  assert.ok(own?.intervals.every(({ component_id }) => component_id === api));
});

test('a response about uptime contains no intervals without the parameter `explain`', async () => {
  assert.equal(Object.keys(await get('start=2026-11-18')), Object.keys(await get('start=2026-11-18&explain=false')));
  assert.not.ok('intervals' in (await get('start=2026-11-18')));
});

test('the uptime of a range in the future or before the creation of the component has only excluded intervals', async () => {
  const future = await get('start=2027-01&end=9999&explain=true');
  assert.equal(
    future.intervals?.map(({ excluded }) => excluded?.rule),
    ['future'],
  );
  const past = await get('start=0001&end=2020&explain=true');
  assert.equal(
    past.intervals?.map(({ excluded }) => excluded?.rule),
    ['before_1970', 'before_creation'],
  );
});

test('the intervals of the first and the last days of the calendar begin and end with the calendar', async () => {
  const ends = async (query: string): Promise<unknown[]> => {
    const { intervals = [] } = await get(`${query}&explain=true`);
    return [intervals[0]?.from, intervals.at(-1)?.to];
  };
  assert.equal(await ends('start=0001-01-01&end=0001-01-01'), [
    '0001-01-01T00:00:00.000000',
    '0001-01-02T00:00:00.000000',
  ]);
  assert.equal(await ends('start=9999-12-30&end=9999-12-30'), [
    '9999-12-30T00:00:00.000000',
    '9999-12-31T00:00:00.000000',
  ]);
  assert.equal(await ends('start=9999-12-31&end=9999'), ['9999-12-31T00:00:00.000000', '9999-12-31T23:59:59.999000']);
  const early = (await get('end=0001-01-05')) as { range_start: string };
  assert.is(early.range_start, '0001-01-01');
  for (const [time_zone, from, to] of [
    ['Asia/Tokyo', '0001-01-01T00:00:00.000000', '9999-12-31T15:00:00.000000'],
    ['America/Los_Angeles', '0001-01-01T07:52:58.000000', '9999-12-31T23:59:59.999000'],
  ] as const) {
    const other = await createStatusPage(service, { time_zone });
    const { intervals = [] } = await other.uptime(await other.addComponent('API'), '?start=0001&end=0001&explain=true');
    assert.is(intervals[0]?.from, from, time_zone);
    const future = await other.uptime(await other.addComponent('Web'), '?start=9999&end=9999&explain=true');
    assert.is(future.intervals?.at(-1)?.to, to, time_zone);
  }
});

test('an interval begins at the same time as its source, in milliseconds', async () => {
  on('2026-11-18T20:00');
  const other = await createStatusPage(service);
  const component = await other.addComponent('API', { start_date: '2026-11-01' });
  await other.logPast({
    incident_updates: [
      {
        body: 'Down.',
        status: 'investigating',
        created_at: '2026-11-17T10:00:00.123456Z',
        components: { [component]: 'major_outage' },
      },
      {
        body: 'Up.',
        status: 'resolved',
        created_at: '2026-11-17T11:00:00Z',
        components: { [component]: 'operational' },
      },
    ],
  });
  const { intervals = [] } = await other.uptime(component, '?start=2026-11-17&explain=true');
  const down = intervals.find(({ status }) => status === 'major_outage');
  assert.equal([down?.from, down?.source?.at], ['2026-11-17T10:00:00.123000', '2026-11-17T10:00:00.123000']);
});

test('uptime with ?at= contains the intervals as they were at that time', async () => {
  const { intervals = [] } = await get('start=2026-11-18&explain=true&at=2026-11-18T07:00:00Z');
  assert.equal(
    intervals.map(({ excluded, status }) => excluded?.rule ?? status),
    ['before_creation', 'operational', 'major_outage', 'future'],
  );
});

test('if a component is requested many times, each repetition counts towards the limit of intervals', async () => {
  const reply = await request('POST', `/v1/pages/${page.id}/components/uptime?start=2026-11-18&explain=true`, {
    body: { component_ids: Array.from({ length: 1_000 }, () => api) },
  });
  assert.is(reply.status, 200, reply.text);
  const all = reply.json() as { intervals: Interval[]; truncated: boolean }[];
  assert.ok(all.reduce((sum, { intervals }) => sum + intervals.length, 0) <= 10_000);
});

test('each component gets a fair share of the limit of intervals, also as a member of a group', async () => {
  on('2026-11-18T20:00');
  const busy = await createStatusPage(service, { name: 'Busy' });
  const start_date = '2026-11-01';
  const crowd = await busy.addComponent('Crowd', { group: true, start_date });
  const ids: string[] = [];
  for (let number = 0; number < 12; number++)
    ids.push(await busy.addComponent(`Busy ${number}`, { start_date, group_id: crowd }));
  const quiet = await busy.addComponent('Quiet', { start_date, group_id: crowd });
  // Each of these 12 components has about 1,100 intervals.
  for (let log = 0; log < 11; log++) {
    const incident_updates = Array.from({ length: 100 }, (_, index) => ({
      body: 'Next.',
      status: index === 99 ? 'resolved' : 'investigating',
      created_at: new Date(Date.UTC(2026, 10, 2 + log, 0, index)).toISOString(),
      components: Object.fromEntries(ids.map((one) => [one, index % 2 === 0 ? 'major_outage' : 'operational'])),
    }));
    await busy.logPast({ incident_updates });
  }
  const ask = async (component_ids: string[]) =>
    (await busy.uptimes(component_ids, '?start=2026-11-01&explain=true')).map(({ intervals = [], truncated }) => ({
      intervals,
      truncated,
    }));
  const found = await ask([...ids, quiet]);
  const counts = found.map(({ intervals }) => intervals.length);
  const [whole] = await ask([quiet]);
  assert.equal(found.at(-1), whole);
  assert.is(whole?.truncated, false);
  const share = Math.floor((10_000 - (counts.at(-1) ?? 0)) / 12);
  assert.equal(
    counts.slice(0, -1),
    ids.map(() => share),
  );
  assert.equal(
    found.slice(0, -1).map(({ intervals, truncated }) => [truncated, intervals.at(-1)?.excluded?.rule]),
    ids.map(() => [true, 'future']),
  );
  const [group] = await ask([crowd]);
  assert.equal(
    group?.intervals.filter(({ component_id }) => component_id === quiet),
    whole?.intervals,
  );
  assert.equal(new Set(group?.intervals.map(({ component_id }) => component_id)).size, 13);
});

test('uptime intervals of another organization are not found', async () => {
  const path = `/v1/pages/${page.id}/components/${api}/uptime?explain=true`;
  assert.is((await request('GET', path, { key: second.keys.admin })).status, 404);
});

test.run();
