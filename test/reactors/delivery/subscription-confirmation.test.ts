import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventData } from '../../../domain/event-types.ts';
import { systemEvent } from '../../../domain/system-event.ts';
import { derivedUuid } from '../../../domain/identity.ts';
import { instantOf } from '../../../domain/time.ts';
import { DELIVERY } from '../../../reactors/delivery/deliver.ts';
import { fanOutName } from '../../../reactors/delivery/fan-out.ts';
import { request } from '../../api/http.ts';
import { confirmationRequested, subscriberUnsubscribed } from '../../domain/subscriber/examples.ts';
import {
  openDeliveryService,
  PUBLIC_URL,
  type SentMessage,
  type DeliveryService,
} from '../mailings/delivery-service.ts';
import { eventually } from '../../waiting.ts';

const test = suite<{ room: DeliveryService }>('the message that asks for a confirmation');

const REACTORS = [fanOutName({ kind: 'subscription_confirmation' }), DELIVERY];

test.before.each(async (context) => {
  context.room = await openDeliveryService(REACTORS);
});
test.after.each(({ room }) => room.close());

const PENDING = { verified: false, asks: true, purge_at: '2026-11-27T15:00:00.000000' } as const;

const linkIn = ({ message }: SentMessage): string => {
  const [link = ''] = /https:\/\/status\.example\.org\/subscriptions\/confirm\?token=\S+/.exec(message.text) ?? [];
  return link.slice(PUBLIC_URL.length);
};

const again = async (
  room: DeliveryService,
  id: string,
  more: Partial<EventData['SubscriberConfirmationRequested']> = {},
) => {
  const { data } = confirmationRequested({ subscriber_id: id, page_id: room.page, ...more });
  const event = systemEvent({ type: 'SubscriberConfirmationRequested', data } as const, {
    id: derivedUuid(`${id} again`),
    by: 'test',
    organizationId: room.service.first.id,
    now: instantOf(room.time.now),
  });
  await room.stores.main.append(`subscriber-${id}`, [event], 'any');
};

test('a confirmation message is sent to the subscribed address, with a link that confirms the subscription', async ({
  room,
}) => {
  await room.subscribes('email', 'ida@example.com', PENDING);
  const [handed] = await room.received(1);
  if (!handed) throw new Error('Nothing was sent.');
  const { by, message, settings } = handed;
  assert.equal([by, settings], ['email', { address: 'ida@example.com' }]);
  assert.match(message.subject, 'Acme');
  assert.match(message.mail?.html ?? '', linkIn(handed));
  assert.equal([message.mail?.sender.name, message.mail?.thread, message.mail?.unsubscribeUrl], ['Acme', null, null]);
  const { port } = room.service;
  assert.is((await request(port, { path: linkIn(handed) })).status, 200);
  const confirmed = await request(port, { method: 'POST', path: linkIn(handed) });
  assert.match(confirmed.text, 'Your subscription is confirmed');
  const [delivery] = await room.deliveries();
  assert.is(delivery?.priority, 'account');
});

test('a confirmation message is sent by SMS to a phone', async ({ room }) => {
  await room.subscribes('sms', '+79161234567', { ...PENDING, phone_country: 'RU' });
  const [handed] = await room.received(1);
  assert.equal([handed?.by, handed?.settings], ['sms', { number: '+79161234567' }]);
  assert.match(handed?.message.text ?? '', `${PUBLIC_URL}/subscriptions/confirm?token=`);
});

test('no confirmation message is sent to webhooks, nor without a confirmation request', async ({ room }) => {
  await room.subscribes('webhook', 'http://127.0.0.1:9/hook', PENDING);
  await room.subscribes('email', 'skipped@example.com');
  await room.subscribes('email', 'too-often@example.com', { ...PENDING, asks: false });
  await room.subscribes('email', 'ida@example.com', PENDING);
  const handed = await room.received(1);
  assert.equal(
    handed.map(({ settings }) => settings),
    [{ address: 'ida@example.com' }],
  );
});

test('a confirmation message is sent for a subscription that was created before messages could be sent', async () => {
  const room = await openDeliveryService(REACTORS, { begun: false });
  await room.subscribes('email', 'ida@example.com', PENDING);
  await room.begin();
  assert.is((await room.received(1)).length, 1);
  await room.close();
});

test('a confirmation message is sent again on request', async ({ room }) => {
  const id = await room.subscribes('email', 'ida@example.com', PENDING);
  await room.received(1);
  await again(room, id);
  const [first, second] = await room.received(2);
  assert.is.not(first?.message.id, second?.message.id);
  assert.is(first && linkIn(first), second && linkIn(second), 'both links confirm the same subscription');
});

test('no confirmation message is sent after the address has unsubscribed, or the page was deleted or became private', async ({
  room,
}) => {
  let refusals = 0;
  room.answers(() => {
    refusals++;
    return {
      status: 'failed',
      permanent: false,
      notBefore: null,
      reason: 'status',
      error_message: 'Later.',
      response_code: 451,
    };
  });
  const id = await room.subscribes('email', 'ida@example.com', PENDING);
  await room.subscribes('email', 'eva@example.com', PENDING);
  await eventually(() => refusals >= 2);
  const { data } = subscriberUnsubscribed();
  const left = systemEvent(
    { type: 'SubscriberUnsubscribed', data: { ...data, subscriber_id: id, page_id: room.page } } as const,
    { id: derivedUuid('left'), by: 'test', organizationId: room.service.first.id, now: instantOf(room.time.now) },
  );
  await room.stores.main.append(`subscriber-${id}`, [left], 'any');
  await room.ask('PATCH', `/v1/pages/${room.page}`, { viewers_must_be_team_members: true });
  room.time.now += 2 * 3_600_000;
  await eventually(async () => (await room.deliveries()).every(({ status }) => status === 'given_up'));
  assert.equal(
    (await room.deliveries()).map(({ given_up }) => given_up?.because),
    ['withdrawn', 'withdrawn'],
  );
  assert.equal(room.told, []);
});

test.run();
