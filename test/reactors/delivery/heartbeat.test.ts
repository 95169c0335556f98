import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DELIVERY } from '../../../reactors/delivery/deliver.ts';
import { DIGESTS } from '../../../reactors/delivery/digests.ts';
import { fanOutName } from '../../../reactors/delivery/fan-out.ts';
import { HEARTBEAT_VERDICTS } from '../../../reactors/heartbeats/verdicts.ts';
import { storeChannelEvent, storeOpenChannel } from '../../api/stored-channels.ts';
import { openDeliveryService, type DeliveryService } from '../mailings/delivery-service.ts';
import { eventually } from '../../waiting.ts';

const test = suite<{ room: DeliveryService }>('messages about heartbeats');

test.before.each(async (context) => {
  context.room = await openDeliveryService([fanOutName({ kind: 'heartbeat' }), HEARTBEAT_VERDICTS, DIGESTS, DELIVERY]);
});
test.after.each(({ room }) => room.close());

test('messages about the failure and the recovery of a heartbeat are sent in this order, and do not contain the heartbeat’s id', async ({
  room,
}) => {
  const { service } = room;
  const { id: organizationId } = service.first;
  const webhook = {
    url: 'http://127.0.0.1:9/hook',
    method: 'POST' as const,
    headers: {},
    body_template: null,
    secret: null,
  };
  const channels = [
    await storeOpenChannel(service, organizationId, { name: 'Hook', type: 'webhook', configuration: webhook }),
    await storeOpenChannel(service, organizationId, {
      name: 'Mail',
      type: 'email',
      configuration: { recipients: ['ann@acme.example'] },
    }),
    await storeOpenChannel(service, organizationId, {
      name: 'Phones',
      type: 'ntfy',
      configuration: { server_url: 'https://ntfy.sh', topic: 'alerts', token: null },
    }),
  ];
  const body = { name: 'Backup', period_seconds: 60 };
  const { id } = (await service.request('POST', '/v1/heartbeats', { body })).json() as { id: string };
  await service.request('POST', `/v1/heartbeats/${id}/channels`, { body: { channel_ids: channels } });
  const ping = (end: string) => service.request('GET', `/v1/heartbeats/${id}/ping${end}`, { key: null });
  await ping('/fail');
  await room.received(3);
  room.time.now += 125_000;
  await ping('');
  const messages = await room.received(6);
  const events = (name: string) => messages.filter(({ by }) => by === name).map(({ message }) => message.event);
  assert.equal(events('webhook'), ['heartbeat.down', 'heartbeat.recovered']);
  assert.equal(events('email'), ['heartbeat.down', 'heartbeat.recovered']);
  const mails = messages.filter(({ by }) => by === 'email').map(({ message }) => message);
  assert.equal(
    mails.map(({ subject }) => subject),
    ['[Down] Backup is down', 'Resolved: Backup is down'],
  );
  assert.match(mails[0]?.text ?? '', '“Backup” reported a failure.');
  assert.match(mails[1]?.text ?? '', '“Backup” is up again after 2 minutes 5 seconds.');
  const [down, up] = messages.filter(({ by }) => by === 'ntfy').map(({ message }) => message.notice);
  assert.equal([down?.title, down?.severity, down?.over], ['[Down] Backup is down', 'high', false]);
  assert.equal([up?.title, up?.over, up?.about], ['Resolved: Backup is down', true, down?.about]);
  assert.match(down?.about ?? '', /^heartbeat-[a-z0-9]{12}$/);
  const data = messages.findLast(({ by }) => by === 'webhook')?.message.data as { heartbeat: Record<string, unknown> };
  assert.equal([data.heartbeat['status'], data.heartbeat['duration']], ['up', 125]);
  assert.not(JSON.stringify(messages.map(({ message }) => message)).includes(id), 'its id is a secret');
});

test('a recovery is not sent if the channel was not notified of the failure', async ({ room }) => {
  const { service } = room;
  const store = (chat_id: string) =>
    storeOpenChannel(service, service.first.id, {
      name: 'Chat',
      type: 'telegram',
      configuration: { bot_token: '1:token', chat_id },
    });
  const [off, on] = [await store('-1'), await store('-2')];
  const enable = (enabled: boolean) =>
    storeChannelEvent(service, service.first.id, {
      type: 'AlertChannelUpdated',
      data: { channel_id: off, changes: { enabled }, previous: { enabled: !enabled } },
    });
  await enable(false);
  const body = { name: 'Backup', period_seconds: 60 };
  const { id } = (await service.request('POST', '/v1/heartbeats', { body })).json() as { id: string };
  await service.request('POST', `/v1/heartbeats/${id}/channels`, { body: { channel_ids: [off, on] } });
  const ping = (end: string) => service.request('GET', `/v1/heartbeats/${id}/ping${end}`, { key: null });
  await ping('/fail');
  await room.received(1);
  await enable(true);
  room.time.now += 5_000;
  await ping('');
  await room.received(2);
  await ping('/fail');
  const messages = await room.received(4);
  const events = (chat: string) =>
    messages.filter(({ settings }) => settings['chat_id'] === chat).map(({ message }) => message.event);
  assert.equal(events('-2'), ['heartbeat.down', 'heartbeat.recovered', 'heartbeat.down']);
  assert.equal(events('-1'), ['heartbeat.down']);
});

test('heartbeat messages beyond twenty a minute are combined into a digest', async ({ room }) => {
  const { service } = room;
  const bot = { bot_token: '123456:abcdefghijklmnopqrstuvwxyz', chat_id: '-100' };
  const channel = { name: 'Chat', type: 'telegram' as const, configuration: bot };
  const channel_ids = [await storeOpenChannel(service, service.first.id, channel)];
  for (let number = 1; number <= 23; number++) {
    const body = { name: `Backup ${number}`, period_seconds: 60 };
    const { id } = (await service.request('POST', '/v1/heartbeats', { body })).json() as { id: string };
    await service.request('POST', `/v1/heartbeats/${id}/channels`, { body: { channel_ids } });
    await service.request('GET', `/v1/heartbeats/${id}/ping/fail`, { key: null });
  }
  await eventually(async () => room.told.length === 20 && (await room.deliveries()).length === 23);
  room.time.now += 10_000;
  await eventually(() => {
    room.time.now += 100;
    return room.told.length === 21;
  });
  const [headline, , ...lines] = (room.told.at(-1)?.message.text ?? '').split('\n\n');
  assert.is(headline, '3 heartbeats down');
  const listed = (lines[0] ?? '').split('\n');
  assert.is(
    listed.filter((line) => /^\[Down\] Backup \d+ is down, since 2026-11-20 15:00:00 UTC$/.test(line)).length,
    3,
  );
  assert.is(lines.length, 1, 'heartbeats have no link, since their ids are secrets');
});

test.run();
