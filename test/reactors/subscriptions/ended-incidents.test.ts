import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENDED_INCIDENTS } from '../../../reactors/subscriptions/ended-incidents.ts';
import { FORGOTTEN } from '../../../stores/keys/port.ts';
import { openDeliveryService, type DeliveryService } from '../mailings/delivery-service.ts';
import { eventually } from '../../waiting.ts';
import { DAY_MS } from '../../../domain/time.ts';

const test = suite<{ room: DeliveryService }>('the ended-incident-subscriptions reactor');

test.before.each(async (context) => {
  context.room = await openDeliveryService([ENDED_INCIDENTS]);
});
test.after.each(({ room }) => room.close());

const opened = async (room: DeliveryService): Promise<string> =>
  (
    await room.ask('POST', `/v1/pages/${room.page}/incidents`, {
      name: 'Outage',
      body: 'We look.',
      status: 'investigating',
      components: {},
    })
  ).id;

const move = (room: DeliveryService, incident: string, status: string) =>
  room.ask('PATCH', `/v1/pages/${room.page}/incidents/${incident}`, { status });

const types = async (room: DeliveryService, id: string): Promise<string[]> =>
  (await room.stores.main.readStream(`subscriber-${id}`)).map(({ type }) => type);

const removed = (room: DeliveryService, id: string) =>
  eventually(async () => (await types(room, id)).includes('SubscriberPurged'));

test('subscriptions to an incident are removed seven days after its end, and their addresses forgotten', async ({
  room,
}) => {
  const incident = await opened(room);
  const id = await room.subscribes('email', 'ida@example.com', { incident_id: incident });
  const unconfirmed = await room.subscribes('email', 'eva@example.com', { incident_id: incident, verified: false });
  const ofPage = await room.subscribes('email', 'all@example.com');
  await move(room, incident, 'resolved');
  room.time.now += 7 * DAY_MS;
  await removed(room, id);
  await removed(room, unconfirmed);
  const [added] = await room.stores.main.readStream(`subscriber-${id}`);
  const { address } = added?.data as { address: { key: string; sealed: string } };
  const location = { organizationId: room.service.first.id, field: 'address' };
  await eventually(async () => (await room.keys.open(address, location)) === FORGOTTEN);
  assert.equal(await types(room, ofPage), ['SubscriberAdded']);
});

test('subscriptions to a reopened incident stay until seven days after its final end', async ({ room }) => {
  const [reopened, ended] = [await opened(room), await opened(room)];
  const stays = await room.subscribes('email', 'ida@example.com', { incident_id: reopened });
  const goes = await room.subscribes('email', 'eva@example.com', { incident_id: ended });
  await move(room, reopened, 'resolved');
  await move(room, ended, 'resolved');
  room.time.now += 6 * DAY_MS;
  await move(room, reopened, 'investigating');
  room.time.now += DAY_MS;
  await removed(room, goes);
  assert.equal(await types(room, stays), ['SubscriberAdded']);
  await move(room, reopened, 'resolved');
  room.time.now += 7 * DAY_MS;
  await removed(room, stays);
});

test('subscriptions to a deleted incident are removed', async ({ room }) => {
  const incident = await opened(room);
  const id = await room.subscribes('email', 'ida@example.com', { incident_id: incident });
  await room.ask('DELETE', `/v1/pages/${room.page}/incidents/${incident}`);
  room.time.now += 7 * DAY_MS;
  await removed(room, id);
});

test.run();
