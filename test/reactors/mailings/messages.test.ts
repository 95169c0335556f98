import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readSubject, UNSUBSCRIBE } from '../../../domain/subscriber/links.ts';
import { verifyToken } from '../../../domain/signed-token.ts';
import { systemEvent } from '../../../domain/system-event.ts';
import { derivedUuid } from '../../../domain/identity.ts';
import { instantOf } from '../../../domain/time.ts';
import { subscriberUnsubscribed } from '../../domain/subscriber/examples.ts';
import { openDeliveryService, PUBLIC_URL, type SentMessage, type DeliveryService } from './delivery-service.ts';
import { eventually } from '../../waiting.ts';

const test = suite<{ room: DeliveryService }>('a message to a subscriber');

test.before.each(async (context) => {
  context.room = await openDeliveryService();
});
test.after.each(async ({ room }) => {
  await room.close();
});

const open = (room: DeliveryService, more: object = {}): Promise<{ id: string }> =>
  room.ask('POST', `/v1/pages/${room.page}/incidents`, {
    name: 'Outage',
    body: 'We **look** into it.',
    status: 'investigating',
    components: {},
    ...more,
  });

const component = async (room: DeliveryService, name: string, more: object = {}): Promise<string> =>
  (await room.ask('POST', `/v1/pages/${room.page}/components`, { name, ...more })).id;

const only = (messages: readonly SentMessage[]): SentMessage => {
  assert.is(messages.length, 1);
  const [handed] = messages;
  assert.ok(handed);
  return handed;
};

/** Returns the id of the subscription that a link ends. */
const endedBy = async ({ service, keys, time }: DeliveryService, url: string) => {
  const { origin, pathname, searchParams } = new URL(url);
  assert.is(`${origin}${pathname}`, `${PUBLIC_URL}/subscriptions/unsubscribe`);
  const mac = (kind: string, text: string) => keys.fingerprint(kind, text);
  const token = await verifyToken(searchParams.get('token') ?? '', UNSUBSCRIBE, instantOf(time.now), mac);
  assert.is(token?.organizationId, service.first.id);
  return readSubject(token?.subject ?? '');
};

test('a webhook message contains the incident in the API’s representation, and uses the subscriber’s URL and secret', async ({
  room,
}) => {
  const id = await room.subscribes('webhook', 'https://hooks.example/a');
  const web = await component(room, 'Web');
  const incident = await open(room, { components: { [web]: 'major_outage' } });
  const { by, message, settings } = only(await room.received(1));
  assert.is(by, 'webhook');
  assert.equal(settings, { url: 'https://hooks.example/a', secret: 'secret of https://hooks.example/a' });
  const { event, meta, page, incident: sent } = message.data as Record<string, Record<string, unknown>>;
  assert.is(event, 'incident.created');
  assert.equal(page, {
    id: room.page,
    name: 'Acme',
    status_indicator: 'critical',
    status_description: 'Major system outage',
  });
  assert.is(meta?.['generated_at'], '2026-11-20T15:00:00.000000');
  assert.equal(await endedBy(room, meta?.['unsubscribe'] as string), { id, number: 1 });
  const reply = await room.service.request('GET', `/v1/pages/${room.page}/incidents/${incident.id}`);
  assert.equal(JSON.parse(JSON.stringify(sent)), reply.json());
});

test('a webhook message is also signed with the former secret for a day', async ({ room }) => {
  const former = 'secret of https://hooks.example/a';
  const id = await room.subscribes('webhook', 'https://hooks.example/a');
  const { secret } = (await room.ask('POST', `/v1/pages/${room.page}/subscribers/${id}/rotate-secret`)) as unknown as {
    secret: string;
  };
  assert.match(secret, /^whsec_/);
  room.time.now += 86_399_000;
  await open(room);
  const { settings } = only(await room.received(1));
  assert.equal(settings, { url: 'https://hooks.example/a', secret, former_secret: former });
  room.time.now += 1_000;
  await open(room);
  const [, later] = await room.received(2);
  assert.equal(later?.settings, { url: 'https://hooks.example/a', secret });
});

test('an e-mail contains the update as text and HTML and an unsubscribe link, in the thread of the incident', async ({
  room,
}) => {
  await room.ask('PATCH', `/v1/pages/${room.page}`, { notifications_from_email: 'team@acme.example' });
  const id = await room.subscribes('email', 'ina@example.com');
  const incident = await open(room);
  const { by, message, settings } = only(await room.received(1));
  assert.is(by, 'email');
  assert.equal(settings, { address: 'ina@example.com' });
  assert.match(message.subject, /Acme.*Outage/);
  assert.match(message.text, /We look into it\./);
  assert.match(message.mail?.html ?? '', /We <strong>look<\/strong> into it\./);
  assert.is(message.mail?.thread, incident.id);
  assert.equal(message.mail?.sender, { name: 'Acme', from: null, replyTo: 'team@acme.example' });
  const url = message.mail?.unsubscribeUrl ?? '';
  assert.equal(await endedBy(room, url), { id, number: 1 });
  assert.ok(message.text.includes(url));
});

test('an SMS is one text with a link that ends the subscription', async ({ room }) => {
  const id = await room.subscribes('sms', '+491512345678');
  await open(room);
  const { by, message, settings } = only(await room.received(1));
  assert.is(by, 'sms');
  assert.equal(settings, { number: '+491512345678' });
  assert.match(message.text, /^Acme: .*Outage/);
  assert.equal(await endedBy(room, /https:\S+$/.exec(message.text)?.[0] ?? ''), { id, number: 1 });
});

/** Waits for `count` messages and returns their addresses, sorted. */
const heardBy = async (room: DeliveryService, count: number): Promise<string[]> =>
  (await room.received(count)).map(({ settings }) => String(settings['url'] ?? settings['address'])).sort();

test('a message reaches the subscribers of its components and incident', async ({ room }) => {
  const group = (await room.ask('POST', `/v1/pages/${room.page}/component-groups`, { name: 'Europe' })).id;
  const [api, web] = [await component(room, 'API', { group_id: group }), await component(room, 'Web')];
  await room.subscribes('email', 'all@example.com');
  await room.subscribes('email', 'api@example.com', { component_ids: [api] });
  await room.subscribes('email', 'group@example.com', { component_ids: [group] });
  await room.subscribes('email', 'web@example.com', { component_ids: [web] });
  await room.subscribes('email', 'other@example.com', { incident_id: 'another00001' });
  await room.subscribes('email', 'pending@example.com', { verified: false });
  await room.subscribes('email', 'silent@example.com', { deliver_notifications: false });
  await open(room, { components: { [api]: 'major_outage' } });
  assert.equal(await heardBy(room, 3), ['all@example.com', 'api@example.com', 'group@example.com']);
  await room.subscribes('email', 'late@example.com');
  await room.subscribes('webhook', 'https://hooks.example/a');
  await room.ask('PATCH', `/v1/pages/${room.page}/components/${web}`, { status: 'partial_outage' });
  assert.equal((await heardBy(room, 4)).at(-1), 'https://hooks.example/a');
  assert.is((await room.deliveries()).length, 4);
});

test('a message of a private page reaches subscribers who were added with an API key', async ({ room }) => {
  await room.subscribes('email', 'visitor@example.com');
  await room.subscribes('email', 'added@example.com', { added_with_key: true });
  await room.ask('PATCH', `/v1/pages/${room.page}`, { viewers_must_be_team_members: true });
  await open(room);
  assert.equal(await heardBy(room, 1), ['added@example.com']);
  assert.is((await room.deliveries()).length, 1);
});

const busy = {
  status: 'failed',
  permanent: false,
  notBefore: null,
  reason: 'status',
  error_message: 'It is busy.',
} as const;

test('a retried message has the texts at the time of the retry', async ({ room }) => {
  await room.subscribes('webhook', 'https://hooks.example/a');
  let tries = 0;
  room.answers(() => (++tries === 1 ? { ...busy, response_code: 503 } : { status: 'delivered', response_code: 200 }));
  const { id } = await open(room);
  await eventually(async () => (await room.deliveries())[0]?.attempt_count === 1);
  await room.ask('PATCH', `/v1/pages/${room.page}/incidents/${id}`, { name: 'Slow' });
  room.time.now += 6_000;
  const { message } = only(await room.received(1));
  assert.is((message.data['incident'] as { name: string }).name, 'Slow');
});

test('a message is withdrawn if, before it is sent, its incident is deleted or its receiver unsubscribes', async ({
  room,
}) => {
  const leaving = await room.subscribes('webhook', 'https://leaving.example/');
  let tries = 0;
  room.answers(() => {
    tries++;
    return { ...busy, response_code: 503 };
  });
  const { id } = await open(room);
  await eventually(async () => (await room.deliveries())[0]?.attempt_count === 1);
  const ended = subscriberUnsubscribed();
  const data = { ...ended.data, subscriber_id: leaving, page_id: room.page };
  const cause = {
    id: derivedUuid('left'),
    by: 'test',
    organizationId: room.service.first.id,
    now: instantOf(room.time.now),
  };
  await room.stores.main.append(`subscriber-${leaving}`, [systemEvent({ ...ended, data }, cause)], 'any');
  await room.subscribes('webhook', 'https://staying.example/');
  room.time.now += 1_000;
  const second = await open(room, { name: 'Another' });
  await eventually(
    async () => (await room.deliveries()).filter(({ attempt_count }) => attempt_count === 1).length === 2,
  );
  await room.ask('DELETE', `/v1/pages/${room.page}/incidents/${second.id}`);
  room.time.now += 6_000;
  await eventually(async () => (await room.deliveries()).every(({ status }) => status === 'given_up'));
  assert.equal(
    (await room.deliveries()).map(({ given_up, incident_id }) => [given_up?.because, incident_id === id]),
    [
      ['withdrawn', true],
      ['withdrawn', false],
    ],
  );
  assert.is(tries, 2);
});

test('a message about an incident is sent once to each subscriber who subscribed before the incident, and not to later subscribers', async ({
  room,
}) => {
  await room.subscribes('webhook', 'https://hooks.example/a');
  await open(room);
  await room.received(1);
  await room.subscribes('webhook', 'https://hooks.example/b');
  await open(room, { name: 'Another' });
  await room.received(3);
  assert.equal(room.told.map(({ settings }) => settings['url']).sort(), [
    'https://hooks.example/a',
    'https://hooks.example/a',
    'https://hooks.example/b',
  ]);
});

test.run();
