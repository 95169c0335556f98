import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recordOutage, recordOutageEnd } from '../../../commands/checks/region-outages.ts';
import { createUser } from '../../../commands/organizations/users.ts';
import type { Outage } from '../../../domain/region/outage.ts';
import { instantOf, MINUTE_MS } from '../../../domain/time.ts';
import { DELIVERY } from '../../../reactors/delivery/deliver.ts';
import { fanOutName } from '../../../reactors/delivery/fan-out.ts';
import { openDeliveryService, type SentMessage, type DeliveryService } from '../mailings/delivery-service.ts';

const test = suite<{ room: DeliveryService }>('e-mails about regions that are cut off');

test.before.each(async (context) => {
  context.room = await openDeliveryService([fanOutName({ kind: 'region' }), DELIVERY]);
});
test.after.each(({ room }) => room.close());

/** Creates a user and waits until the read model contains the user. */
const joins = async (
  { service }: DeliveryService,
  role: string,
  organizationId = service.first.id,
): Promise<string> => {
  const named = { first_name: null, last_name: null, password: 'a long walk home' };
  const input = { email: `${role}@${organizationId}.example`, role, ...named };
  const context = service.context(organizationId, randomUUID());
  const id = await service.commands.bind(createUser)(input, context);
  await service.readers.waitFor(['organizations'], context);
  return id;
};

const outageIn = ({ service, time }: DeliveryService, fields: Partial<Outage> = {}): Outage => ({
  organization_id: service.first.id,
  region: 'EU, West',
  since: instantOf(time.now - MINUTE_MS),
  ...fields,
});

const cutOff = async (room: DeliveryService, outage: Outage): Promise<void> => {
  await room.service.commands.bind(recordOutage)(outage, instantOf(room.time.now));
};
const connected = async (room: DeliveryService, outage: Outage, minutes: number): Promise<void> => {
  room.time.now += minutes * MINUTE_MS;
  await room.service.commands.bind(recordOutageEnd)(outage, 'connected', instantOf(room.time.now));
};

const shown = ({ by, message, settings }: SentMessage): unknown[] => [by, settings['address'], message.subject];

test('administrators get one e-mail about each outage of a region, and one about the end of the outage', async ({
  room,
}) => {
  const { first, second } = room.service;
  for (const role of ['admin', 'editor', 'viewer']) await joins(room, role);
  await joins(room, 'admin', second.id);
  const outage = outageIn(room);
  await cutOff(room, outage);
  await cutOff(room, { ...outage, since: instantOf(room.time.now) });
  const address = `admin@${first.id}.example`;
  const [begun] = await room.received(1);
  assert.ok(begun);
  assert.equal(shown(begun), ['email', address, 'No runner of West Europe, Belgium is connected']);
  assert.is(begun.message.event, 'region.cut_off');
  assert.match(begun.message.text, 'has been connected to the service since Nov 20, 2026, 14:59 UTC.');
  await connected(room, outage, 11);
  await connected(room, outage, 1);
  const [, ended, ...others] = await room.received(2);
  assert.ok(ended);
  assert.equal(shown(ended), ['email', address, 'A runner of West Europe, Belgium is connected again']);
  assert.is(ended.message.event, 'region.reconnected');
  assert.match(ended.message.text, 'connected again, after 12 minutes.');
  assert.equal(others, []);
  assert.is((await room.deliveries()).length, 2);
});

test('e-mails about a region are not sent again by another process', async ({ room }) => {
  await joins(room, 'admin');
  const outage = outageIn(room);
  await cutOff(room, outage);
  await room.received(1);
  await room.restart();
  await connected(room, outage, 1);
  assert.is((await room.received(2)).length, 2);
  assert.is((await room.deliveries()).length, 2);
});

test('e-mails about a private location go to its organization, and show its name as text', async ({ room }) => {
  const { second } = room.service;
  await joins(room, 'admin');
  await joins(room, 'admin', second.id);
  const name = '<b>Office</b>\nBerlin';
  await cutOff(room, outageIn(room, { region: 'private-0123456789ab', name, organization_id: second.id }));
  const [message] = await room.received(1);
  assert.ok(message);
  const subject = 'No runner of <b>Office</b> Berlin is connected';
  assert.equal(shown(message), ['email', `admin@${second.id}.example`, subject]);
  assert.match(message.message.mail?.html ?? '', 'No remote runner of &lt;b&gt;Office&lt;/b&gt; Berlin has been');
});

test.run();
