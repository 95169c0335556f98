import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SubscriberDocument } from '../../../projections/subscribers/documents.ts';
import { subscribers } from '../../../projections/subscribers/projection.ts';
import {
  ADDED_AT,
  challengeFailed,
  confirmationRequested,
  INCIDENT,
  LATER,
  PAGE,
  sealedUnder,
  secretRotated,
  SUBSCRIBER,
  subscriberAdded,
  subscriberChanged,
  subscriberDeleted,
  subscriberPurged,
  subscriberQuarantined,
  subscriberReleased,
  subscriberUnsubscribed,
  subscriberVerified,
  UNCONFIRMED_UNTIL,
  webhookAdded,
} from '../../domain/subscriber/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of subscribers');
const subscribed = projection(subscribers);

const after = async (...facts: readonly Fact[]): Promise<SubscriberDocument> => {
  const document = await subscribed.given(...facts).document('subscribers', SUBSCRIBER);
  if (!document) throw new Error('There is no such subscriber.');
  return document;
};

test('a new subscriber waits for its confirmation', () =>
  subscribed.given(subscriberAdded({ component_ids: ['comp00000001'] })).then('subscribers', {
    id: SUBSCRIBER,
    organization_id: 'org000000001',
    page_id: PAGE,
    number: 1,
    mode: 'email',
    status: 'pending',
    address: sealedUnder(1, 'the address'),
    contact_email: null,
    phone_country: null,
    secret: null,
    former_secret: null,
    component_ids: ['comp00000001'],
    incident_id: null,
    deliver_notifications: true,
    added_with_key: false,
    skip_confirmation_notification: false,
    receives: false,
    verified_position: null,
    verified_at: null,
    requested_at: ADDED_AT,
    awaits_confirmation: true,
    failed_challenges: 0,
    purge_at: UNCONFIRMED_UNTIL,
    quarantined_at: null,
    target: 'the target',
    known_since: ADDED_AT,
    created_at: ADDED_AT,
    updated_at: ADDED_AT,
    changed_position: 10,
    place: `${ADDED_AT}/${SUBSCRIBER}`,
    listed: true,
    narrowed: true,
  }));

test('a subscriber that subscribes again keeps the time when it was first added, unless it was removed in between', async () => {
  const again = subscriberAdded({ number: 2, added_at: LATER });
  const ended = await after(subscriberAdded(), subscriberUnsubscribed(), again);
  assert.equal([ended.known_since, ended.created_at], [ADDED_AT, LATER]);
  const removed = await after(subscriberAdded(), subscriberDeleted(), again);
  assert.is(removed.known_since, LATER);
});

test('a confirmed subscriber receives later messages, and has no time of removal', async () => {
  const { status, receives, verified_at, verified_position, purge_at } = await after(
    subscriberAdded(),
    subscriberVerified(),
  );
  assert.equal(
    { status, receives, verified_at, verified_position, purge_at },
    { status: 'active', receives: true, verified_at: LATER, verified_position: 20, purge_at: null },
  );
});

test('a subscriber that needs no confirmation receives messages immediately', async () => {
  const { receives, verified_position, requested_at } = await after(
    subscriberAdded({ verified: true, asks: false, purge_at: null }),
  );
  assert.equal(
    { receives, verified_position, requested_at },
    { receives: true, verified_position: 10, requested_at: null },
  );
});

test('a changed scope of a subscription takes effect with its confirmation, and no message before that is lost', async () => {
  const wanted = { component_ids: null, incident_id: INCIDENT };
  const facts = [subscriberAdded(), subscriberVerified(), confirmationRequested({ wanted })];
  assert.is((await after(...facts)).incident_id, null);
  assert.is((await after(...facts)).purge_at, null);
  const confirmed = await after(...facts, subscriberVerified(wanted));
  assert.is(confirmed.incident_id, INCIDENT);
  assert.is(confirmed.verified_position, 20);
});

test('an unconfirmed subscriber that requests another confirmation has seven more days', async () => {
  const { purge_at, requested_at } = await after(subscriberAdded(), confirmationRequested());
  assert.equal({ purge_at, requested_at }, { purge_at: '2026-11-27T16:00:00.000000', requested_at: LATER });
});

test('a subscriber with notifications disabled does not receive messages', async () => {
  const { receives, listed } = await after(
    subscriberAdded(),
    subscriberVerified(),
    subscriberChanged({ deliver_notifications: false }, { deliver_notifications: true }),
  );
  assert.equal({ receives, listed }, { receives: false, listed: true });
});

test('a quarantined subscriber does not receive messages until it is released from quarantine', async () => {
  const quarantined = [subscriberAdded(), subscriberVerified(), subscriberQuarantined()];
  const inside = await after(...quarantined);
  assert.is(inside.receives, false);
  assert.is(inside.quarantined_at, LATER);
  assert.is(inside.purge_at, '2027-02-18T16:00:00.000000');
  const outside = await after(...quarantined, subscriberReleased());
  assert.is(outside.receives, true);
  assert.is(outside.quarantined_at, null);
  assert.is(outside.purge_at, null);
});

test('a confirmation request of a quarantined subscriber does not change the time at which the subscriber is removed', async () => {
  const { purge_at, status } = await after(
    subscriberAdded(),
    subscriberVerified(),
    subscriberQuarantined(),
    confirmationRequested(),
  );
  assert.equal({ purge_at, status }, { purge_at: '2027-02-18T16:00:00.000000', status: 'quarantined' });
});

test('an unsubscribed subscriber keeps its address, and is in no list', async () => {
  const { address, listed, receives, status } = await after(
    subscriberAdded(),
    subscriberVerified(),
    subscriberUnsubscribed(),
  );
  assert.equal(address, sealedUnder(1, 'the address'));
  assert.equal({ listed, receives, status }, { listed: false, receives: false, status: 'unsubscribed' });
});

test('a removed subscriber is deleted', async () => {
  for (const removed of [subscriberDeleted(), subscriberPurged()]) {
    await subscribed.given(subscriberAdded(), removed).thenNone('subscribers');
  }
});

test('an address that subscribes again after its removal is a new subscriber under a new key', async () => {
  const again = await after(subscriberAdded(), subscriberDeleted(), subscriberAdded({ number: 2, added_at: LATER }));
  assert.is(again.number, 2);
  assert.is(again.created_at, LATER);
  assert.equal(again.address, sealedUnder(2, 'the address'));
});

test('a webhook keeps its previous secret for a while', async () => {
  const { secret, former_secret } = await after(webhookAdded(), secretRotated());
  assert.equal(secret, sealedUnder(1, 'another secret'));
  assert.equal(former_secret, { secret: sealedUnder(1, 'the secret'), until: '2026-11-21T16:00:00.000000' });
});

test('failed challenges of a webhook are counted until another challenge is requested', async () => {
  const failed = [webhookAdded(), challengeFailed(1), challengeFailed(2)];
  assert.is((await after(...failed)).failed_challenges, 2);
  assert.is((await after(...failed, confirmationRequested({ mode: 'webhook' }))).failed_challenges, 0);
});

const pageDeleted: Fact = { type: 'PageDeleted', data: { page_id: PAGE, deleted_at: LATER } };

test('a deleted page with subscribers is listed, even if a subscriber is added after the deletion', async () => {
  const listed = (changed_position: number) => [{ id: PAGE, organization_id: 'org000000001', changed_position }];
  await subscribed.given(subscriberAdded(), pageDeleted).then('deleted_pages', listed(20));
  await subscribed.given(pageDeleted, subscriberAdded()).then('deleted_pages', listed(20));
});

test('confirmation messages are counted by address, and confirmation messages by SMS also by day', async () => {
  const given = subscribed.given(
    subscriberAdded({ mode: 'sms', phone_country: 'RU' }),
    confirmationRequested({ mode: 'sms' }),
    confirmationRequested({ mode: 'sms', asks: false }),
  );
  await given.then('asked_addresses', [{ id: 'the address, whatever the page', asked: [ADDED_AT, LATER] }]);
  await given.then('asked_days', [{ id: 'sms/2026-11-20', count: 2 }]);
});

test('challenges of webhooks and e-mails do not count as SMS', async () => {
  await subscribed.given(webhookAdded()).thenNone('asked_addresses');
  await subscribed.given(subscriberAdded()).thenNone('asked_days');
});

test.run();

projectionRules(subscribers, [
  subscriberAdded(),
  confirmationRequested(),
  subscriberVerified(),
  subscriberChanged({ component_ids: ['comp00000001'] }, { component_ids: null }),
  subscriberQuarantined(),
  subscriberReleased(),
  subscriberUnsubscribed(),
  subscriberAdded({ number: 2 }),
  subscriberDeleted(2),
  webhookAdded({ number: 3 }),
  challengeFailed(),
  secretRotated(),
  subscriberPurged('page_deleted', 3),
  pageDeleted,
]);
