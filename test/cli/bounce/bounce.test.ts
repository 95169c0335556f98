import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../../commands/engine/handle.ts';
import { bounceAddress } from '../../../domain/mail/bounce-address.ts';
import { plannedDelivery } from '../../../domain/delivery/state.ts';
import { subscriberDecider } from '../../../domain/subscriber/state.ts';
import type { SubscriberEvent } from '../../../domain/subscriber/events.ts';
import { readBounce } from '../../../cli/bounce/bounce.ts';
import { deliveries } from '../../../projections/deliveries/projection.ts';
import type { SubscriberDocument } from '../../../projections/subscribers/documents.ts';
import type { Read } from '../../../projections/readers.ts';
import { createCheckedStore } from '../../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { aContext } from '../../commands/simulated-processes.ts';
import { BOUNCE_ADDRESS, postfixReport, vacationAnswer } from '../../domain/mail/reports.ts';
import { SUBSCRIBER, subscriberAdded, subscriberVerified } from '../../domain/subscriber/examples.ts';
import { mac } from '../../notifiers/email/send-mail.ts';

const test = suite('uptrail bounce');

const DELIVERY = 'k3v9x0q2m7ab';
const PLANNED_AT = '2026-11-20T17:00:00.000000';

/** Returns a service with one subscriber and one planned delivery to that subscriber. */
const service = async (document: Partial<SubscriberDocument> = {}, events?: SubscriberEvent[]) => {
  const store = createMemoryEventStore('main');
  const handle = createHandle({ store: createCheckedStore(store), clock: Date.now });
  await handle(SUBSCRIBER, subscriberDecider, () => events ?? [subscriberAdded(), subscriberVerified()], aContext());
  const subscriber = {
    id: SUBSCRIBER,
    organization_id: 'org000000001',
    number: 1,
    mode: 'email',
    status: 'active',
    verified_at: '2026-11-20T16:00:00.000000',
    ...document,
  };
  const delivery = plannedDelivery(
    {
      delivery_id: DELIVERY,
      organization_id: 'org000000001',
      cause: { kind: 'mailing', id: 'cause' },
      receiver_id: SUBSCRIBER,
      notifier: 'email',
      target: 'the relay',
      not_after: '2026-11-21T17:00:00.000000',
    },
    { at: PLANNED_AT, position: 10 },
  );
  const found = (all: readonly { id: string }[]) => ({
    getMany: (ids: readonly string[]) => Promise.resolve(all.filter(({ id }) => ids.includes(id))),
  });
  const read = ((projection: unknown) =>
    projection === deliveries
      ? { deliveries: found([delivery]) }
      : { subscribers: found([subscriber]) }) as unknown as Read;
  return {
    /** Processes a message that was sent to the bounce address of a delivery. @returns the printed outcome */
    bounce: async (message: string, deliveryId = DELIVERY, recipients: string[] = []): Promise<string> => {
      const address = await bounceAddress(deliveryId, { local: 'status', domain: 'example.org' }, mac);
      return readBounce({ mac, read, handle }, { message: message.replaceAll(BOUNCE_ADDRESS, address), recipients });
    },
    /** Returns the types of the subscriber's events after the first two. */
    happened: async () => (await store.readStream(`subscriber-${SUBSCRIBER}`)).slice(2).map(({ type }) => type),
    reason: async () =>
      ((await store.readStream(`subscriber-${SUBSCRIBER}`)).at(-1)?.data as { reason: string }).reason,
  };
};

const HARD = postfixReport({ action: 'failed', status: '5.1.1', diagnostic: 'smtp; 550 5.1.1 <jane@example.com>: No' });

test('a bounce for an invalid address quarantines the subscriber', async () => {
  const { bounce, happened, reason } = await service();
  assert.is(
    await bounce(HARD),
    `Subscriber ${SUBSCRIBER} gets no more mail: delivery ${DELIVERY} bounced with 550 5.1.1.`,
  );
  assert.equal(await happened(), ['SubscriberQuarantined']);
  assert.is(await reason(), 'Mail to its address bounced with 550 5.1.1.');
});

test('a repeated bounce changes nothing', async () => {
  const { bounce, happened } = await service();
  await bounce(HARD);
  await bounce(HARD);
  assert.equal(await happened(), ['SubscriberQuarantined']);
});

test('a report of a problem other than an invalid address does not change the subscriber', async () => {
  const { bounce, happened } = await service();
  assert.is(
    await bounce(postfixReport({ action: 'failed', status: '4.4.1' })),
    `Ignored: delivery ${DELIVERY} failed with 4.4.1, but not because of its address.`,
  );
  await bounce(postfixReport({ action: 'failed', status: '5.2.2' }));
  await bounce(postfixReport({ action: 'delayed', status: '4.4.1' }));
  assert.match(await bounce(postfixReport({ action: 'delivered', status: '2.0.0' })), /the message reports no failure/);
  assert.match(await bounce(vacationAnswer()), /the message is not a delivery status notification/);
  assert.equal(await happened(), []);
});

test('a report is ignored if its recipient is not a valid bounce address', async () => {
  const { happened } = await service();
  const { bounce } = await service();
  const sentence = 'Ignored: the recipient is not a bounce address of this service.';
  const forged = HARD.replaceAll(BOUNCE_ADDRESS, `status+${DELIVERY}.0000000000000000@example.org`);
  assert.is(await bounce(forged), sentence);
  assert.is(await bounce(HARD.replaceAll(BOUNCE_ADDRESS, 'status@example.org')), sentence);
  assert.is(await bounce(''), sentence);
  assert.equal(await happened(), []);
});

test('the bounce address can be in the recipients that the mail server passes instead of in the headers', async () => {
  const { bounce, happened } = await service();
  const message = HARD.replaceAll(BOUNCE_ADDRESS, 'postmaster@example.org');
  const address = await bounceAddress(DELIVERY, { local: 'status', domain: 'example.org' }, mac);
  assert.match(await bounce(message, DELIVERY, ['postmaster@example.org', address]), /gets no more mail/);
  assert.equal(await happened(), ['SubscriberQuarantined']);
});

test('a bounce is ignored if its delivery no longer exists or was not sent to an e-mail subscriber', async () => {
  const { bounce, happened } = await service();
  assert.is(await bounce(HARD, 'otherdeliver'), 'Ignored: the delivery otherdeliver no longer exists.');
  assert.equal(await happened(), []);
  const webhook = await service({ mode: 'webhook' });
  assert.match(await webhook.bounce(HARD), /is not an e-mail subscriber/);
  const foreign = await service({ organization_id: 'org000000002' });
  assert.match(await foreign.bounce(HARD), /is not an e-mail subscriber/);
  const gone = await service({ id: 'another00001' });
  assert.match(await gone.bounce(HARD), /is not an e-mail subscriber/);
});

test('a bounce does not change a subscriber who has confirmed after the delivery, or who is not active', async () => {
  const confirmed = await service({ verified_at: '2026-11-20T18:00:00.000000' });
  assert.match(await confirmed.bounce(HARD), /was confirmed after delivery/);
  const pending = await service({ status: 'pending', verified_at: null }, [subscriberAdded()]);
  assert.is(await pending.bounce(HARD), `Nothing to do: subscriber ${SUBSCRIBER} is pending.`);
  // The read model may lag behind the log. Here it still shows an earlier subscription.
  const behind = await service({ number: 2 });
  await behind.bounce(HARD);
  assert.equal(await behind.happened(), []);
});

test.run();
