import ICAL from 'ical.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPublishedSite, type PublishedSite } from '../published-site.ts';

const test = suite<{ site: PublishedSite }>('the calendar of maintenances');

test.before.each(async (context) => {
  context.site = await startPublishedSite();
});
test.after.each(({ site }) => site.stop());

const plan = (site: PublishedSite, fields: object = {}) =>
  site.incident({
    name: 'Upgrade',
    body: 'New *disks*.',
    status: 'scheduled',
    scheduled_for: '2026-11-29T02:00:00Z',
    scheduled_until: '2026-11-29T03:30:00Z',
    ...fields,
  });

/** Returns the properties of each event by name, as a calendar program parses them. */
const eventsIn = (text: string): Record<string, string>[] =>
  new ICAL.Component(ICAL.parse(text) as unknown[])
    .getAllSubcomponents('vevent')
    .map((event) => Object.fromEntries(event.getAllProperties().map((one) => [one.name, String(one.getFirstValue())])));

const read = async (site: PublishedSite, path = 'maintenance.ics') => {
  const { status, headers, text } = await site.get(path);
  assert.equal([status, headers['content-type']], [200, 'text/calendar; charset=utf-8']);
  return { text, events: eventsIn(text) };
};

test('the calendar has an event in UTC for each maintenance, and none for an incident', async ({ site }) => {
  const shop = await site.component('Shop');
  const { id } = await plan(site, { components: { [shop]: 'under_maintenance' } });
  await site.incident();
  const { text, events } = await read(site);
  const [event, ...others] = events;
  assert.equal(others, []);
  const { uid = '', ...shown } = event ?? {};
  assert.match(uid, /^[0-9a-f-]{36}$/);
  assert.equal(shown, {
    sequence: '0',
    dtstamp: '2026-11-20T15:00:00Z',
    dtstart: '2026-11-29T02:00:00Z',
    dtend: '2026-11-29T03:30:00Z',
    summary: 'Acme: Upgrade',
    transp: 'TRANSPARENT',
    description: 'Scheduled: New disks.\n\nAffected components: Shop',
    url: `https://status.example.org/status/acme/maintenances/${String(id)}`,
    status: 'CONFIRMED',
    created: '2026-11-20T15:00:00Z',
    'last-modified': '2026-11-20T15:00:00Z',
  });
  assert.match(text, 'REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n');
  assert.ok(text.endsWith('END:VCALENDAR\r\n'));
  assert.is((await read(site, `maintenances/${String(id)}/maintenance.ics`)).events[0]?.['uid'], uid);
});

test('a change keeps the id of its calendar event and raises its sequence', async ({ site }) => {
  const { id } = await plan(site);
  const [before] = (await read(site)).events;
  site.pass(60);
  await site.change('PATCH', `/incidents/${String(id)}`, { scheduled_until: '2026-11-29T05:00:00Z' });
  const [after] = (await read(site)).events;
  assert.equal([after?.['uid'], after?.['dtend']], [before?.['uid'], '2026-11-29T05:00:00Z']);
  assert.ok(Number(after?.['sequence']) > Number(before?.['sequence']));
  assert.is(after?.['last-modified'], '2026-11-20T15:01:00Z');
});

test('a maintenance deleted before its end becomes a cancelled event without text, and one deleted later has no event', async ({
  site,
}) => {
  const { id } = await plan(site, { name: 'Secret upgrade' });
  const over = await plan(site, { name: 'Over' });
  const [{ uid } = { uid: '' }] = (await read(site, `maintenances/${String(id)}/maintenance.ics`)).events;
  site.pass(60);
  for (const status of ['in_progress', 'completed']) await site.update(over['id'], { status });
  for (const one of [id, over['id']]) await site.change('DELETE', `/incidents/${String(one)}`);
  for (const path of ['maintenance.ics', `maintenances/${String(id)}/maintenance.ics`]) {
    const { text, events } = await read(site, path);
    assert.equal(events.length, 1);
    const [event] = events;
    assert.equal(
      [event?.['uid'], event?.['status'], event?.['summary'], event?.['dtstart']],
      [uid, 'CANCELLED', 'Acme: Maintenance cancelled', '2026-11-29T02:00:00Z'],
    );
    assert.is(event?.['sequence'], '61');
    assert.not.match(text, 'Secret');
  }
  assert.is((await site.get(`maintenances/${String(over['id'])}/maintenance.ics`)).status, 404);
});

test('incidents, and maintenances of another page, have no calendar file', async ({ site }) => {
  const { id } = await site.incident();
  for (const one of [String(id), 'none'])
    assert.is((await site.get(`maintenances/${one}/maintenance.ics`)).status, 404);
});

test('the calendar is byte-identical while nothing changes', async ({ site }) => {
  await plan(site);
  const { text, headers } = await site.get('maintenance.ics');
  site.pass(86_400);
  assert.is((await site.get('maintenance.ics')).text, text);
  assert.is((await site.get('maintenance.ics', { 'if-none-match': headers.etag ?? '' })).status, 304);
});

test('hostile texts stay within their calendar values, and no line is longer than 75 bytes', async ({ site }) => {
  const hostile = 'A\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:x;,\\"\u0007 \u{1f600}é'.padEnd(180, 'ü');
  await site.change('PATCH', '', { name: hostile.slice(0, 95) });
  const shop = await site.component(hostile.slice(0, 90));
  await plan(site, { name: hostile, body: hostile, components: { [shop]: 'under_maintenance' } });
  const { text, events } = await read(site);
  assert.is(events.length, 1);
  for (const line of text.split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, line);
    assert.not.match(line, /[\r\n]/);
  }
  assert.match(events[0]?.['summary'] ?? '', 'A END:VEVENT BEGIN:VEVENT UID:x;,\\" \u{1f600}é');
});

test.run();
