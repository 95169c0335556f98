import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createUser, inviteUser, removeUser, resendInvitation } from '../../../commands/organizations/users.ts';
import { requestReset } from '../../../domain/organization/user-passwords.ts';
import { organizationDecider } from '../../../domain/organization/state.ts';
import { verifyInvitationLink, verifyResetLink } from '../../../domain/organization/user-links.ts';
import { instantOf } from '../../../domain/time.ts';
import { DELIVERY } from '../../../reactors/delivery/deliver.ts';
import { fanOutName } from '../../../reactors/delivery/fan-out.ts';
import {
  openDeliveryService,
  PUBLIC_URL,
  type SentMessage,
  type DeliveryService,
} from '../mailings/delivery-service.ts';

const test = suite<{ room: DeliveryService }>('e-mails about accounts');

const REACTORS = [fanOutName({ kind: 'account' }), DELIVERY];

test.before.each(async (context) => {
  context.room = await openDeliveryService(REACTORS);
});
test.after.each(({ room }) => room.close());

const ann = { email: 'ann@example.com', role: 'editor' };
const contextOf = ({ service }: DeliveryService, name: string) => service.context(service.first.id, name);

const tokenIn = (handed: SentMessage | undefined, path: string): string => {
  if (!handed) throw new Error('Nothing was sent.');
  const { message } = handed;
  const [, token = ''] = new RegExp(`${PUBLIC_URL}${path}#token=(\\S+)`).exec(message.text) ?? [];
  assert.match(message.mail?.html ?? '', token);
  return token;
};

test('an invitation is sent only to its address, with a link that no log contains', async ({ room }) => {
  const { service, keys, stores, time } = room;
  const { userId } = await service.commands.bind(inviteUser)(ann, contextOf(room, 'invite'));
  const [handed] = await room.received(1);
  assert.equal([handed?.by, handed?.settings], ['email', { address: 'ann@example.com' }]);
  const token = tokenIn(handed, '/console/invitation');
  const mac = (kind: string, text: string) => keys.fingerprint(kind, text);
  const link = await verifyInvitationLink(token, instantOf(time.now), mac);
  assert.equal(link, { organizationId: service.first.id, userId, invitation: 1, way: 'mailed' });
  assert.is(await verifyInvitationLink(token, instantOf(time.now + 7 * 86_400_000), mac), null);
  for (const store of [stores.main, stores.results]) {
    for (const event of await store.readAll({ after: 0n })) assert.not.match(JSON.stringify(event.data), token);
  }
  const [delivery] = await room.deliveries();
  assert.is(delivery?.priority, 'account');
});

test('only the newest invitation is sent, and none to a user who was removed or has already joined', async ({
  room,
}) => {
  const { commands } = room.service;
  const { userId } = await commands.bind(inviteUser)(ann, contextOf(room, 'invite'));
  await room.received(1);
  await commands.bind(resendInvitation)(userId, contextOf(room, 'again'));
  const [, second] = await room.received(2);
  const mac = (kind: string, text: string) => room.keys.fingerprint(kind, text);
  const link = await verifyInvitationLink(tokenIn(second, '/console/invitation'), instantOf(room.time.now), mac);
  assert.is(link?.invitation, 2);
  await commands.bind(removeUser)(userId, contextOf(room, 'remove'));
  const operator = { email: 'bob@example.com', role: 'admin', password: 'a long walk home' };
  await commands.bind(createUser)({ ...operator, first_name: null, last_name: null }, contextOf(room, 'create'));
  await commands.bind(inviteUser)({ ...ann, email: 'eve@example.com' }, contextOf(room, 'other'));
  const handed = await room.received(3);
  assert.equal(handed[2]?.settings, { address: 'eve@example.com' });
});

test('a password reset link is sent and is valid for an hour', async ({ room }) => {
  const { service, keys, time } = room;
  const input = { ...ann, password: 'a long walk home', first_name: null, last_name: null };
  const userId = await service.commands.bind(createUser)(input, contextOf(room, 'create'));
  const { handle } = service.commands.bind((parts) => parts);
  await handle(service.first.id, organizationDecider, (it) => requestReset(it, userId), contextOf(room, 'reset'));
  const [handed] = await room.received(1);
  const token = tokenIn(handed, '/console/reset');
  const mac = (kind: string, text: string) => keys.fingerprint(kind, text);
  const link = { organizationId: service.first.id, userId, reset: 1, way: 'mailed' };
  assert.equal(await verifyResetLink(token, instantOf(time.now), mac), link);
  assert.is(await verifyResetLink(token, instantOf(time.now + 3_600_000), mac), null);
});

test.run();
