import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { derivedUuid } from '../../../../domain/identity.ts';
import { subscriberKey } from '../../../../domain/subscriber/state.ts';
import { systemEvent } from '../../../../domain/system-event.ts';
import { instantOf } from '../../../../domain/time.ts';
import { listNotifications } from '../../../../cli/notifications/list.ts';
import { subscriberDeleted } from '../../../domain/subscriber/examples.ts';
import { openDeliveryService, type DeliveryService } from '../../../reactors/mailings/delivery-service.ts';
import { collectLines } from '../../../service/lines.ts';
import { eventually } from '../../../waiting.ts';

const test = suite<{ room: DeliveryService }>('GET /v1/pages/{page_id}/subscribers/notifications');

test.before.each(async (context) => {
  context.room = await openDeliveryService();
});
test.after.each(async ({ room }) => {
  await room.close();
});

interface Log {
  notifications: Record<string, unknown>[];
  pagination: Record<string, unknown>;
}

const pathOf = ({ page }: DeliveryService): string => `/v1/pages/${page}/subscribers/notifications`;

const log = async (room: DeliveryService, query = ''): Promise<Log> => {
  const reply = await room.service.request('GET', `${pathOf(room)}${query}`);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Log;
};

const open = (room: DeliveryService, name: string): Promise<{ id: string }> =>
  room.ask('POST', `/v1/pages/${room.page}/incidents`, {
    name,
    body: 'We look into it.',
    status: 'investigating',
    components: {},
  });

/** Waits until `count` messages were sent or have failed. */
const ended = async (room: DeliveryService, count: number): Promise<void> => {
  await eventually(async () => {
    const { notifications } = await log(room, '?per_page=100');
    return notifications.filter(({ status }) => status === 'sent' || status === 'failed').length === count;
  });
};

const failing = (permanent: boolean, response_code: number) => ({
  status: 'failed' as const,
  permanent,
  notBefore: null,
  reason: 'status',
  error_message: `It answered ${response_code}.`,
  response_code,
});

test('the notification log contains each message with its masked recipient, newest first', async ({ room }) => {
  const subscriber_id = await room.subscribes('email', 'ina@example.com');
  const incident = await open(room, 'First');
  await ended(room, 1);
  room.time.now += 60_000;
  await room.ask('PATCH', `/v1/pages/${room.page}/incidents/${incident.id}`, { status: 'resolved', body: 'Well.' });
  await ended(room, 2);
  const { notifications, pagination } = await log(room);
  const [last, first] = notifications;
  assert.equal(pagination, { page: 1, per_page: 25, pages: 1, total: 2, has_next: false, has_prev: false });
  assert.is(last?.['event'], 'incident.resolved');
  const { id, incident_update_id, ...shown } = first ?? {};
  assert.equal(shown, {
    page_id: room.page,
    subscriber_id,
    mode: 'email',
    recipient: 'i***@example.com',
    event: 'incident.created',
    incident_id: incident.id,
    status: 'sent',
    retry_count: 0,
    response_code: 200,
    error_message: null,
    created_at: '2026-11-20T15:00:00.000000',
    sent_at: '2026-11-20T15:00:00.000000',
  });
  assert.is(id, room.told[0]?.message.id);
  const path = `/v1/pages/${room.page}/incidents/${incident.id}/incident_updates/${String(incident_update_id)}`;
  assert.is((await room.service.request('GET', path)).status, 200);
});

test('the notification log shows the reason of a failure and the number of retries, and can be filtered by status, mode and incident', async ({
  room,
}) => {
  const gone = await room.subscribes('webhook', 'https://gone.example/hook/secret');
  const busy = await room.subscribes('webhook', 'https://busy.example/hook');
  const mail = await room.subscribes('email', 'ina@example.com');
  const sms = await room.subscribes('sms', '+491512345678');
  room.answers(({ by, settings }) => {
    if (by === 'email') return { status: 'delivered', response_code: 250 };
    if (by === 'sms') return { ...failing(false, 503), status: 'unavailable' };
    return String(settings['url']).includes('gone') ? failing(true, 410) : failing(false, 503);
  });
  const { id } = await open(room, 'Outage');
  await ended(room, 2);
  await eventually(async () => (await log(room, '?status=retrying')).pagination['total'] === 1);
  const ids = async (query: string): Promise<unknown[]> =>
    (await log(room, query)).notifications.map(({ subscriber_id }) => subscriber_id);
  assert.equal(await ids('?status=failed'), [gone]);
  assert.equal(await ids('?status=retrying'), [busy]);
  assert.equal(await ids('?status=sent'), [mail]);
  assert.equal(await ids('?status=pending'), [sms]);
  assert.equal((await ids('?mode=webhook')).sort(), [gone, busy].sort());
  assert.equal(await ids('?mode=webhook&status=failed'), [gone]);
  assert.is((await ids(`?incident_id=${id}`)).length, 4);
  assert.equal(await ids('?incident_id=another00001'), []);
  const [failed] = (await log(room, '?status=failed')).notifications;
  assert.equal(
    [failed?.['recipient'], failed?.['response_code'], failed?.['error_message'], failed?.['sent_at']],
    ['https://gone.example/***', 410, 'It answered 410.', null],
  );
  const [text] = (await log(room, '?mode=sms')).notifications;
  assert.equal([text?.['recipient'], text?.['retry_count']], ['+49******5678', 0]);
  room.time.now += 6_000;
  await eventually(async () => (await log(room, '?status=retrying')).notifications[0]?.['retry_count'] === 1);
});

test('the notification log shows a message as superseded, not as failed, if a newer message has replaced it', async ({
  room,
}) => {
  await room.subscribes('webhook', 'https://busy.example/hook');
  room.answers(({ message }) =>
    message.event === 'incident.created' ? failing(false, 503) : { status: 'delivered', response_code: 200 },
  );
  const { id } = await open(room, 'Outage');
  await eventually(async () => (await log(room, '?status=retrying')).pagination['total'] === 1);
  await room.ask('PATCH', `/v1/pages/${room.page}/incidents/${id}`, { status: 'resolved', body: 'Well.' });
  await ended(room, 1);
  await eventually(async () => (await log(room, '?status=superseded')).pagination['total'] === 1);
  const [superseded] = (await log(room, '?status=superseded')).notifications;
  assert.equal(
    [superseded?.['event'], superseded?.['status'], superseded?.['error_message'], superseded?.['sent_at']],
    ['incident.created', 'superseded', 'A newer message about the same subject replaced this one.', null],
  );
  assert.equal((await log(room, '?status=failed')).notifications, []);
  const read = room.service.readers.for({ appended: new Map() });
  const output = collectLines();
  await listNotifications(read, { failed: true, limit: 50, json: true }, output);
  assert.equal(output.lines, []);
});

test('the notification log has pages of 25 and refuses unknown filters', async ({ room }) => {
  for (let index = 0; index < 27; index++) await room.subscribes('email', `i${index}@example.com`);
  await open(room, 'Outage');
  await ended(room, 27);
  const [first, second] = [await log(room), await log(room, '?page=2')];
  assert.equal([first.notifications.length, second.notifications.length], [25, 2]);
  const all = [...first.notifications, ...second.notifications].map(({ id }) => id);
  assert.is(new Set(all).size, 27);
  assert.is((await log(room, '?per_page=2&page=15')).notifications.length, 0);
  for (const query of ['?status=done', '?mode=fax', '?per_page=101', '?incident_id=x']) {
    assert.is((await room.service.request('GET', `${pathOf(room)}${query}`)).status, 400, query);
  }
});

test('the notification log does not show recipients of a deleted subscription, even after it was created again', async ({
  room,
}) => {
  const id = await room.subscribes('email', 'ina@example.com');
  await open(room, 'First');
  await ended(room, 1);
  const { type, data } = subscriberDeleted();
  const event = systemEvent({ type, data: { ...data, subscriber_id: id, page_id: room.page } } as const, {
    id: derivedUuid('deleted'),
    by: 'test',
    organizationId: room.service.first.id,
    now: instantOf(room.time.now),
  });
  await room.stores.main.append(`subscriber-${id}`, [event], 'any');
  await room.keys.forget(subscriberKey(id, 1));
  const recipients = async (): Promise<unknown[]> => (await log(room)).notifications.map(({ recipient }) => recipient);
  await eventually(async () => (await recipients())[0] === '[forgotten]');
  room.time.now += 60_000;
  await room.subscribes('email', 'ina@example.com', { number: 2 });
  await open(room, 'Second');
  await ended(room, 2);
  assert.equal(await recipients(), ['i***@example.com', '[forgotten]']);
});

test('`uptrail notifications` lists the same messages of all pages, latest change first', async ({ room }) => {
  await room.subscribes('webhook', 'https://gone.example/hook');
  const mail = await room.subscribes('email', 'ina@example.com');
  room.answers(({ by }) => (by === 'email' ? { status: 'delivered', response_code: 250 } : failing(true, 410)));
  const { id } = await open(room, 'Outage');
  await ended(room, 2);
  const read = room.service.readers.for({ appended: new Map() });
  const listed = async (options: object): Promise<Record<string, unknown>[]> => {
    const output = collectLines();
    await listNotifications(read, { failed: false, limit: 50, json: true, ...options }, output);
    return output.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  assert.is((await listed({})).length, 2);
  assert.is((await listed({ limit: 1 })).length, 1);
  assert.is((await listed({ page: room.page, incident: id })).length, 2);
  assert.equal(await listed({ page: 'another00001' }), []);
  const [failed, ...others] = await listed({ failed: true });
  assert.equal(others, []);
  assert.equal(
    [failed?.['status'], failed?.['event'], failed?.['mode'], failed?.['error_message']],
    ['failed', 'incident.created', 'webhook', 'permanent: It answered 410.'],
  );
  const output = collectLines();
  await listNotifications(read, { failed: false, limit: 50, json: false }, output);
  assert.match(output.lines[0] ?? '', /^ID +STATUS +EVENT +BY +PAGE/);
  assert.ok(output.lines.some((line) => line.includes(mail) && line.includes('sent')));
});

test.run();
