import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailAddressOf } from '../../../domain/mail/address.ts';
import type { AlertFiring } from '../../../domain/alert/decide.ts';
import { composeEmail } from '../../../notifiers/email/compose.ts';
import { ALERT_MUTES } from '../../../reactors/alerts/alert-mutes.ts';
import { DELIVERY } from '../../../reactors/delivery/deliver.ts';
import { DIGESTS } from '../../../reactors/delivery/digests.ts';
import { fanOutName } from '../../../reactors/delivery/fan-out.ts';
import { storeFiredAlert, resolveAutomatically } from '../../api/alerts.ts';
import { storeChannelEvent, storeOpenChannel } from '../../api/stored-channels.ts';
import {
  openDeliveryService,
  PUBLIC_URL,
  type SentMessage,
  type DeliveryService,
} from '../mailings/delivery-service.ts';
import { refused } from './stage.ts';
import { eventually } from '../../waiting.ts';
import { HOUR_MS } from '../../../domain/time.ts';

const test = suite<{ room: DeliveryService }>('messages about alerts');

test.before.each(async (context) => {
  context.room = await openDeliveryService([fanOutName({ kind: 'alert' }), DIGESTS, DELIVERY, ALERT_MUTES]);
});
test.after.each(({ room }) => room.close());

const channelsOf = async ({ service }: DeliveryService) => {
  const store = (
    type: 'email' | 'webhook' | 'telegram',
    configuration: Parameters<typeof storeOpenChannel>[2]['configuration'],
  ) => storeOpenChannel(service, service.first.id, { name: `By ${type}`, type, configuration });
  return {
    email: await store('email', { recipients: ['ann@acme.example', 'ben@acme.example'] }),
    webhook: await store('webhook', {
      url: 'http://127.0.0.1:9/hook',
      method: 'PUT',
      headers: { 'x-token': 'secret' },
      body_template: null,
      secret: null,
    }),
    telegram: await store('telegram', { bot_token: '1:token', chat_id: '-100' }),
  };
};

const fires = (room: DeliveryService, changes: Partial<AlertFiring>): Promise<string> =>
  storeFiredAlert(room.service, room.service.first.id, changes);

const by = (messages: readonly SentMessage[], name: string): SentMessage[] =>
  messages.filter((handed) => handed.by === name);

/** Returns the e-mail of a message, as a mail client reads it. */
const read = async ({ message, settings }: SentMessage) => {
  const to = mailAddressOf(String(settings['address']));
  const from = mailAddressOf('uptrail@example.org');
  assert.ok(to && from);
  const mac = async (): Promise<string> => 'mac';
  const options = await composeEmail(message, to, { from: { ...from, name: '' }, mac }, Date.now());
  const { message: made } = await createTransport({ streamTransport: true, buffer: true }).sendMail(options);
  return simpleParser(Buffer.isBuffer(made) ? made : '');
};

test('the message about a fired alert is sent to each recipient in the form of its channel', async ({ room }) => {
  const { email, webhook, telegram } = await channelsOf(room);
  const id = await fires(room, { channel_ids: [email, webhook, telegram] });
  const messages = await room.received(4);
  assert.equal(
    by(messages, 'email')
      .map(({ settings }) => settings['address'])
      .sort(),
    ['ann@acme.example', 'ben@acme.example'],
  );
  const [chat] = by(messages, 'telegram');
  assert.equal(chat?.settings, { bot_token: '1:token', chat_id: '-100', channel_id: telegram });
  assert.is(
    chat?.message.text,
    [
      '[High] API is down',
      'API has been down since 15:00 UTC.',
      'Severity: High\nRule: API is reachable\nCheck: API\nStarted: 2026-11-20 15:00:00 UTC',
      `${PUBLIC_URL}/console/alerts/${id}`,
    ].join('\n\n'),
  );
  const [first] = by(messages, 'email');
  assert.ok(first);
  const mail = await read(first);
  assert.is(mail.subject, '[High] API is down');
  assert.match(mail.text ?? '', 'API has been down since 15:00 UTC.');
  assert.match(mail.text ?? '', `Alert: ${PUBLIC_URL}/console/alerts/${id}`);
  assert.match(mail.html || '', 'View alert');
  const [post] = by(messages, 'webhook');
  assert.is(post?.message.event, 'alert.fired');
  assert.equal(Object.keys(post?.message.data ?? {}), ['alert', 'rule', 'check', 'result', 'organization']);
  const { alert, organization } = post?.message.data as {
    alert: { id: string; status: string };
    organization: { id: string };
  };
  assert.equal([alert.id, alert.status, organization.id], [id, 'firing', room.service.first.id]);
  assert.is(post?.settings['method'], 'PUT');
});

/**
 * Waits until `count` messages were sent, and returns them. Advances the clock meanwhile, because a message about a
 * resolution is retried until the message about the firing is known to have been received.
 */
const heardInTime = async (room: DeliveryService, count: number): Promise<DeliveryService['told']> => {
  await eventually(() => {
    room.time.now += 1_000;
    return room.told.length >= count;
  });
  return room.told;
};

test('the message about a resolved alert contains its duration', async ({ room }) => {
  const { email, telegram } = await channelsOf(room);
  const id = await fires(room, { channel_ids: [email, telegram] });
  await room.received(3);
  room.time.now += 725_000;
  await resolveAutomatically(room.service, room.service.first.id, id);
  const messages = (await heardInTime(room, 6)).slice(3);
  assert.equal([...new Set(messages.map(({ message }) => message.event))], ['alert.resolved']);
  const [chat] = by(messages, 'telegram');
  assert.match(
    chat?.message.text ?? '',
    '“API is down” is over after 12 minutes 5 seconds. The condition no longer holds.',
  );
  assert.match(chat?.message.text ?? '', 'Started: 2026-11-20 15:00:00 UTC\nEnded: 2026-11-20 15:12:05 UTC');
  const [first] = by(messages, 'email');
  assert.ok(first);
  assert.is((await read(first)).subject, 'Resolved: API is down');
});

test('messages about an alert arrive in order and none is lost while the channel is unreachable', async ({ room }) => {
  const { telegram } = await channelsOf(room);
  let works = false;
  room.answers(() => (works ? { status: 'delivered', response_code: 200 } : refused(false)));
  const id = await fires(room, { channel_ids: [telegram] });
  await eventually(async () => (await room.deliveries())[0]?.attempt_count === 1);
  await resolveAutomatically(room.service, room.service.first.id, id);
  await eventually(async () => (await room.deliveries()).length === 2);
  works = true;
  await eventually(() => {
    room.time.now += 1_000;
    return room.told.length === 2;
  });
  assert.equal(
    room.told.map(({ message }) => message.event),
    ['alert.fired', 'alert.resolved'],
  );
});

test('services with structured messages get separate fields, and the same key when an alert fires and when it is resolved', async ({
  room,
}) => {
  const store = (type: string, configuration: Record<string, unknown>) =>
    storeOpenChannel(room.service, room.service.first.id, { name: type, type, configuration });
  const slack = await store('slack', { webhook_url: 'http://127.0.0.1:9/s3cret' });
  const ntfy = await store('ntfy', { server_url: 'https://ntfy.sh', topic: 'alerts', token: null });
  const id = await fires(room, { channel_ids: [slack, ntfy], severity: 'critical' });
  await room.received(2);
  room.time.now += 60_000;
  await resolveAutomatically(room.service, room.service.first.id, id);
  const messages = await heardInTime(room, 4);
  const notice = {
    title: '[Critical] API is down',
    body: 'API has been down since 15:00 UTC.\n\nSeverity: Critical\nRule: API is reachable\nCheck: API\nStarted: 2026-11-20 15:00:00 UTC',
    url: `${PUBLIC_URL}/console/alerts/${id}`,
    severity: 'critical',
    over: false,
    about: `alert-${id}`,
  };
  for (const name of ['slack', 'ntfy']) {
    const [fired, resolved] = by(messages, name).map(({ message }) => message);
    assert.equal(fired?.notice, notice);
    const { title, severity, over, about } = resolved?.notice ?? {};
    assert.equal([title, severity, over, about], ['Resolved: API is down', 'critical', true, `alert-${id}`]);
  }
  assert.equal(by(messages, 'slack')[0]?.settings, { webhook_url: 'http://127.0.0.1:9/s3cret' });
  assert.equal(by(messages, 'ntfy')[0]?.settings, { server_url: 'https://ntfy.sh', topic: 'alerts', token: null });
});

test('a channel that is disabled or deleted gets no message, even if that happens after planning', async ({ room }) => {
  const { email, webhook, telegram } = await channelsOf(room);
  const { service } = room;
  const change = (event: Parameters<typeof storeChannelEvent>[2]) =>
    storeChannelEvent(service, service.first.id, event);
  await change({
    type: 'AlertChannelUpdated',
    data: { channel_id: email, changes: { enabled: false }, previous: { enabled: true } },
  });
  await change({ type: 'AlertChannelDeleted', data: { channel_id: webhook } });
  room.answers(() => refused(false));
  await fires(room, { channel_ids: [email, webhook, telegram] });
  await eventually(async () => (await room.deliveries())[0]?.attempt_count === 1);
  await change({ type: 'AlertChannelDeleted', data: { channel_id: telegram } });
  await eventually(async () => {
    room.time.now += 1_000;
    return (await room.deliveries())[0]?.status === 'given_up';
  });
  const [only, ...others] = await room.deliveries();
  assert.equal([only?.given_up?.because, others.length, room.told.length], ['withdrawn', 0, 0]);
});

test('the resolution of an alert is sent only to channels that received the firing, even if other channels were enabled in between', async ({
  room,
}) => {
  const { email, webhook, telegram } = await channelsOf(room);
  const { service } = room;
  const enable = (channel_id: string, enabled: boolean) =>
    storeChannelEvent(service, service.first.id, {
      type: 'AlertChannelUpdated',
      data: { channel_id, changes: { enabled }, previous: { enabled: !enabled } },
    });
  await enable(email, false);
  room.answers(({ by: name }) => (name === 'telegram' ? refused(false) : { status: 'delivered', response_code: 200 }));
  const id = await fires(room, { channel_ids: [email, webhook, telegram] });
  await room.received(1);
  const ofTelegram = async () => (await room.deliveries()).find(({ receiver_id }) => receiver_id === telegram);
  await eventually(async () => (await ofTelegram())?.attempt_count === 1);
  await enable(telegram, false);
  await eventually(async () => {
    room.time.now += 1_000;
    return (await ofTelegram())?.given_up?.because === 'withdrawn';
  });
  await enable(email, true);
  await enable(telegram, true);
  room.answers(() => ({ status: 'delivered', response_code: 200 }));
  await resolveAutomatically(service, service.first.id, id);
  await eventually(async () => {
    const all = await room.deliveries();
    return all.length === 4 && all.every(({ status }) => status !== 'planned');
  });
  assert.equal(
    room.told.map(({ by: name, message }) => [name, message.event]),
    [
      ['webhook', 'alert.fired'],
      ['webhook', 'alert.resolved'],
    ],
  );
  const next = await fires(room, { channel_ids: [email] });
  await room.received(4);
  await resolveAutomatically(service, service.first.id, next);
  await heardInTime(room, 6);
});

test('the resolution of an alert is sent to every recipient that was notified of the firing, whatever the index of the recipient in the channel', async ({
  room,
}) => {
  const { email } = await channelsOf(room);
  const id = await fires(room, { channel_ids: [email] });
  await room.received(2);
  const recipients = ['abe@acme.example', 'ann@acme.example', 'ben@acme.example'];
  const body = { configuration: { recipients } };
  assert.is((await room.service.request('PATCH', `/v1/alerts/channels/${email}`, { body })).status, 200);
  await resolveAutomatically(room.service, room.service.first.id, id);
  const resolved = (await heardInTime(room, 5)).filter(({ message }) => message.event === 'alert.resolved');
  assert.equal(resolved.map(({ settings }) => settings['address']).sort(), recipients);
});

test('alert messages beyond twenty a minute are combined into a digest for people, and sent individually to programs', async ({
  room,
}) => {
  const { webhook, telegram } = await channelsOf(room);
  for (let number = 1; number <= 25; number++) {
    await fires(room, { channel_ids: [webhook, telegram], title: `Check ${number} is down` });
  }
  await eventually(() => by(room.told, 'webhook').length === 25 && by(room.told, 'telegram').length === 20);
  room.time.now += 10_000;
  await eventually(() => {
    room.time.now += 100;
    return by(room.told, 'telegram').length === 21;
  });
  const digest = by(room.told, 'telegram').at(-1)?.message.text.split('\n') ?? [];
  assert.is(digest[0], '5 alerts fired');
  const { title, severity, over, about } = by(room.told, 'telegram').at(-1)?.message.notice ?? {};
  assert.equal([title, severity, over, about], ['5 alerts fired', 'high', false, null]);
  assert.is(
    digest.filter((line) =>
      /^\[High\] Check \d+ is down \(rule: API is reachable\), since 2026-11-20 15:00:00 UTC$/.test(line),
    ).length,
    5,
  );
  await eventually(async () => (await room.deliveries()).every(({ status }) => status === 'delivered'));
  // There are twenty-five deliveries to each of the two channels, and the digest.
  assert.is((await room.deliveries()).length, 51);
});

/** Creates a check that is muted for an hour. */
const mutedCheck = async ({ ask, time }: DeliveryService): Promise<string> => {
  const check = { name: 'API', type: 'web', url: 'http://127.0.0.1:9/', interval: 60, active: false };
  return (await ask('POST', '/v1/checks', { ...check, muted_until: new Date(time.now + HOUR_MS).toISOString() })).id;
};

const eventsOf = (messages: readonly SentMessage[]): string[] =>
  messages.map(({ message: { event, data } }) => {
    const { title } = (data as { alert: { title: string } }).alert;
    return `${event} ${title}`;
  });

test('no messages are sent about a muted check, and after the mute only about alerts that are still firing', async ({
  room,
}) => {
  const { webhook } = await channelsOf(room);
  const { service, time } = room;
  const about = { channel_ids: [webhook], check_id: await mutedCheck(room) };
  const over = await fires(room, { ...about, title: 'Over' });
  const still = await fires(room, { ...about, title: 'Still' });
  const known = await fires(room, { ...about, title: 'Known' });
  assert.is((await service.request('POST', `/v1/alerts/${known}/acknowledge`)).status, 200);
  await resolveAutomatically(service, service.first.id, over);
  // Messages about other checks are sent.
  await fires(room, { channel_ids: [webhook], title: 'Other' });
  await room.received(1);
  time.now += HOUR_MS;
  await heardInTime(room, 2);
  for (const id of [still, known]) await resolveAutomatically(service, service.first.id, id);
  await heardInTime(room, 3);
  assert.equal(eventsOf(room.told), ['alert.fired Other', 'alert.fired Still', 'alert.resolved Still']);
  assert.is((await room.deliveries()).length, 3);
});

test('a message about a muted check is sent immediately when the mute is ended early, and only at the new end if the mute is extended', async ({
  room,
}) => {
  const { webhook } = await channelsOf(room);
  const check_id = await mutedCheck(room);
  const mute = (until: number | null) =>
    room.ask('PATCH', `/v1/checks/${check_id}`, { muted_until: until && new Date(until).toISOString() });
  await fires(room, { channel_ids: [webhook], check_id, title: 'Long' });
  await mute(room.time.now + 3 * HOUR_MS);
  room.time.now += 2 * HOUR_MS;
  await fires(room, { channel_ids: [webhook], title: 'Other' });
  await room.received(1);
  await mute(null);
  await room.received(2);
  assert.equal(eventsOf(room.told), ['alert.fired Other', 'alert.fired Long']);
});

test('a message waits while its rule is muted, even if the message was planned before the mute and is due for a retry', async ({
  room,
}) => {
  const { webhook } = await channelsOf(room);
  const check = await room.ask('POST', '/v1/checks', {
    name: 'API',
    type: 'web',
    url: 'http://127.0.0.1:9/',
    interval: 60,
    active: false,
  });
  const rule = await room.ask('POST', '/v1/alerts/rules', {
    name: 'API is reachable',
    check_id: check.id,
    condition: 'check_failed',
    channel_ids: [webhook],
  });
  let tries = 0;
  room.answers(() => (tries++ === 0 ? refused(false) : { status: 'delivered', response_code: 200 }));
  await fires(room, { rule_id: rule.id, channel_ids: [webhook], title: 'Retried' });
  await eventually(async () => (await room.deliveries())[0]?.attempt_count === 1);
  const until = room.time.now + HOUR_MS;
  await room.ask('PATCH', `/v1/alerts/rules/${rule.id}`, { muted_until: new Date(until).toISOString() });
  room.time.now += HOUR_MS / 2;
  await fires(room, { channel_ids: [webhook], title: 'Other' });
  await room.received(1);
  assert.equal(eventsOf(room.told), ['alert.fired Other']);
  await eventually(() => {
    room.time.now += 60_000;
    return room.told.length === 2;
  });
  assert.ok(room.time.now >= until);
  assert.equal(eventsOf(room.told), ['alert.fired Other', 'alert.fired Retried']);
});

test.run();
