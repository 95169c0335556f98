import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SendOutcome } from '../../../notifiers/notifier.ts';
import type { EventData } from '../../../domain/event-types.ts';
import { DELIVERY } from '../../../reactors/delivery/deliver.ts';
import { fanOutName } from '../../../reactors/delivery/fan-out.ts';
import { SUBSCRIPTION_QUARANTINES } from '../../../reactors/subscriptions/quarantines.ts';
import { openDeliveryService, type DeliveryService } from '../mailings/delivery-service.ts';
import { eventually } from '../../waiting.ts';

const test = suite<{ room: DeliveryService }>('the subscription-quarantines reactor');

test.before.each(async (context) => {
  context.room = await openDeliveryService([fanOutName({ kind: 'mailing' }), DELIVERY, SUBSCRIPTION_QUARANTINES]);
});
test.after.each(({ room }) => room.close());

const failed = (permanent: boolean): SendOutcome => ({
  status: 'failed',
  permanent,
  notBefore: null,
  reason: 'status',
  error_message: 'The mail server has refused the address.',
  response_code: 550,
});

const opened = (room: DeliveryService) =>
  room.ask('POST', `/v1/pages/${room.page}/incidents`, {
    name: 'Outage',
    body: 'We look.',
    status: 'investigating',
    components: {},
  });

const types = async (room: DeliveryService, id: string): Promise<string[]> =>
  (await room.stores.main.readStream(`subscriber-${id}`)).map(({ type }) => type);

const tries = async (room: DeliveryService): Promise<number> =>
  (await room.deliveries()).reduce((sum, { attempt_count }) => sum + attempt_count, 0);

test('an e-mail address that refuses a message permanently is quarantined and receives no more messages', async ({
  room,
}) => {
  room.answers(() => failed(true));
  const id = await room.subscribes('email', 'ida@example.com');
  const other = await room.subscribes('sms', '+79161234567');
  await opened(room);
  for (const one of [id, other]) {
    await eventually(async () => (await types(room, one)).includes('SubscriberQuarantined'));
    const quarantined = (await room.stores.main.readStream(`subscriber-${one}`)).at(-1);
    const { reason, purge_at } = quarantined?.data as EventData['SubscriberQuarantined'];
    assert.equal([reason, purge_at.slice(0, 10)], ['The mail server has refused the address.', '2027-02-18']);
  }
});

test('subscribers with temporary failures are not quarantined', async ({ room }) => {
  room.answers(() => failed(false));
  const id = await room.subscribes('email', 'ida@example.com');
  const hook = await room.subscribes('webhook', 'http://127.0.0.1:9/');
  await opened(room);
  await eventually(async () => (await tries(room)) >= 2);
  const marker = await room.subscribes('sms', '+79161234567');
  room.answers(() => failed(true));
  await room.ask('POST', `/v1/pages/${room.page}/incidents`, {
    name: 'Another',
    body: 'We look.',
    status: 'investigating',
    components: {},
  });
  await eventually(async () => (await types(room, marker)).includes('SubscriberQuarantined'));
  assert.equal(await types(room, hook), ['SubscriberAdded'], 'a webhook may refuse');
  assert.ok((await types(room, id)).length <= 2);
});

test('a webhook that has failed ten times over an hour is quarantined', async ({ room }) => {
  room.answers(() => failed(false));
  const id = await room.subscribes('webhook', 'http://127.0.0.1:9/');
  room.time.now += 1_000;
  // Failed requests are retried too. Ten failed requests within the first hour do not cause a quarantine.
  for (let incident = 1; incident <= 6; incident++) {
    await opened(room);
    await eventually(async () => (await room.deliveries()).filter((one) => one.attempt_count > 0).length >= incident);
    assert.equal(await types(room, id), ['SubscriberAdded']);
    room.time.now += 10 * 60_000;
  }
  assert.ok((await tries(room)) >= 10);
  await opened(room);
  await eventually(async () => (await types(room, id)).includes('SubscriberQuarantined'));
  const reason = ((await room.stores.main.readStream(`subscriber-${id}`)).at(-1)?.data as { reason: string }).reason;
  assert.match(reason, /^The last \d\d requests, over more than an hour, have failed\.$/);
});

test.run();
