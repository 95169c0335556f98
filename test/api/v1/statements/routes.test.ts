import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Statement } from '../../../../domain/statement/content.ts';
import { attachedStatement, isPdf } from '../../../../messages/statement/attachment.ts';
import { startService } from '../../service.ts';
import { createStatusPage } from '../pages/status-page.ts';

const test = suite('statements');
const service = await startService({ now: Date.UTC(2026, 8, 1) });
const { request, first, second } = service;
test.after(() => service.stop());
const on = (time: string): void => {
  service.time.now = Date.parse(`${time}Z`);
};

const page = await createStatusPage(service, { name: 'Acme', time_zone: 'Europe/Berlin' });
const group = await page.addComponent('Shop', { group: true });
const api = await page.addComponent('API', { group_id: group });
await page.addComponent('Web');
on('2026-10-10T06:00');
const { id: incident } = await page.open({ components: { [api]: 'major_outage' } });
on('2026-10-10T09:30');
await page.change(incident, { components: { [api]: 'operational' }, status: 'resolved', body: 'Done.' });
on('2026-11-20T12:00');
const path = (month: string): string => `/v1/pages/${page.id}/statements/${month}`;
const get = async (month: string): Promise<Statement> => {
  const reply = await request('GET', path(month));
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Statement;
};

test('a statement has the uptime of each component by the days of the page’s time zone', async () => {
  const statement = await get('2026-10');
  assert.equal(
    [statement.format, statement.page, statement.from, statement.to, statement.complete],
    [
      'uptrail-statement-1',
      { id: page.id, name: 'Acme', time_zone: 'Europe/Berlin' },
      '2026-09-30T22:00:00.000000',
      '2026-10-31T23:00:00.000000',
      true,
    ],
  );
  const seconds = 31 * 86_400 + 3_600;
  const day = { measured: 86_400, major_outage: 12_600, partial_outage: 0, degraded_performance: 0, excluded: 0 };
  assert.equal(statement.components, [
    {
      id: api,
      name: 'API',
      group: 'Shop',
      days: 31,
      uptime_percentage: 99.53,
      ...day,
      measured: seconds,
      affected_days: [{ day: '2026-10-10', status: 'major_outage', uptime_percentage: 85.42, ...day }],
    },
    {
      id: statement.components[1]?.id,
      name: 'Web',
      group: null,
      days: 31,
      uptime_percentage: 100,
      ...day,
      measured: seconds,
      major_outage: 0,
      affected_days: [],
    },
  ]);
  assert.match(statement.log.head, /^6:[0-9a-f]{64}$/);
  assert.match(statement.log.position, /^[\w-]{22}$/);
  const { uptime_percentage, major_outage } = await page.uptime(api, '?start=2026-10&end=2026-10');
  assert.equal([uptime_percentage, major_outage], [99.53, 12_600]);
});

test('the components of a statement have the order of the page, and those of a group are in the place of the group', async () => {
  const mixed = await createStatusPage(service, { name: 'Mixed' });
  await mixed.addComponent('First', { position: 1, start_date: '2026-01-01' });
  const group = await mixed.addComponent('Group', { group: true, position: 2 });
  await mixed.addComponent('Last', { position: 3, start_date: '2026-01-01' });
  await mixed.addComponent('Later member', { group_id: group, position: 4, start_date: '2026-01-01' });
  await mixed.addComponent('Earlier member', { group_id: group, position: 1, start_date: '2026-01-01' });
  const reply = await request('GET', `${mixed.path}/statements/2026-10`);
  assert.equal(
    (reply.json() as Statement).components.map(({ name }) => name),
    ['First', 'Earlier member', 'Later member', 'Last'],
  );
});

test('a statement measures the days after a day that the time zone skipped', async () => {
  const skipping = await createStatusPage(service, { name: 'Apia', time_zone: 'Pacific/Apia' });
  await skipping.addComponent('API', { start_date: '2011-12-01' });
  const reply = await request('GET', `${skipping.path}/statements/2011-12`);
  const [component] = (reply.json() as Statement).components;
  assert.equal([component?.days, component?.measured], [30, 30 * 86_400]);
});

test('the PDF of a statement contains the statement as JSON in an attachment', async () => {
  const headers = { accept: 'application/pdf', authorization: first.keys.viewer };
  const reply = await fetch(`http://127.0.0.1:${service.port}${path('2026-10')}`, { headers });
  assert.is(reply.status, 200);
  assert.is(reply.headers.get('content-type'), 'application/pdf');
  assert.match(String(reply.headers.get('content-disposition')), 'Uptime Acme 2026-10.pdf');
  const pdf = Buffer.from(await reply.arrayBuffer());
  assert.ok(isPdf(pdf));
  const attached = JSON.parse(attachedStatement(pdf)?.toString('utf8') ?? '') as Statement;
  assert.equal(attached, await get('2026-10'));
});

test('the statement of the current month is incomplete and covers the time until now', async () => {
  const { complete, components } = await get('2026-11');
  assert.is(complete, false);
  assert.equal(
    components.map(({ days, measured }) => [days, measured]),
    [
      [20, 19 * 86_400 + 13 * 3_600],
      [20, 19 * 86_400 + 13 * 3_600],
    ],
  );
});

test('the statement of a month before the creation of all components contains no components', async () => {
  assert.equal((await get('2026-08')).components, []);
});

test('a statement of a future month or of a month before 1970 is refused, and the error names the field', async () => {
  for (const month of ['2026-12', '2027-01', '9998-12', '9999-12', '0000-01', '1969-12']) {
    const reply = await request('GET', path(month));
    assert.is(reply.status, 400, month);
    assert.equal(Object.keys((reply.json() as { errors: { path: object } }).errors.path), ['month'], month);
  }
});

test('a statement of an invalid month is 404', async () => {
  for (const month of ['2026-13', '2026-00', '2026', '2026-1', '2026-10-01', 'now'])
    assert.is((await request('GET', path(month))).status, 404, month);
});

test('the month of a statement begins in the time zone of the page', async () => {
  on('2026-11-30T22:30');
  assert.is((await request('GET', path('2026-12'))).status, 400);
  on('2026-11-30T23:30');
  assert.is((await request('GET', path('2026-12'))).status, 200);
  on('2026-12-01T12:00');
});

test('callers who may read uptime can read a statement, and other organizations do not find it', async () => {
  assert.is((await request('GET', path('2026-10'), { key: first.keys.viewer })).status, 200);
  assert.is((await request('GET', path('2026-10'), { key: second.keys.admin })).status, 404);
  assert.is((await request('GET', path('2026-10'), { key: null })).status, 401);
});

test('the log position and the head in a statement change only with events of the page', async () => {
  const { log } = await get('2026-10');
  const other = await createStatusPage(service, { name: 'Other' });
  await other.addComponent('API');
  assert.equal((await get('2026-10')).log, log);
  await page.addComponent('New');
  assert.is.not((await get('2026-10')).log.head, log.head);
  assert.is.not((await get('2026-10')).log.position, log.position);
});

test('concurrent requests for a statement get the same figures', async () => {
  const replies = await Promise.all(Array.from({ length: 5 }, () => get('2026-10')));
  for (const { components, log } of replies) assert.equal([components, log], [replies[0]?.components, replies[0]?.log]);
});

test('a deleted page has no statements', async () => {
  const gone = await createStatusPage(service, { name: 'Gone' });
  await request('DELETE', gone.path, { key: first.keys.admin });
  assert.is((await request('GET', `${gone.path}/statements/2026-10`)).status, 404);
});

test.run();
