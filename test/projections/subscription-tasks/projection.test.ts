import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { subscriptionTasks } from '../../../projections/subscription-tasks/projection.ts';
import {
  ADDED_AT,
  challengeFailed,
  confirmationRequested,
  LATER,
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

const test = suite('the tasks for subscriptions');
const tasks = projection(subscriptionTasks);

const own = { id: SUBSCRIBER, organization_id: 'org000000001', number: 1 };
const challenge = async (...facts: readonly Fact[]) => {
  const found = await tasks.given(...facts).document('challenges', SUBSCRIBER);
  return found && [found.failed, found.due_at];
};
const purge = async (...facts: readonly Fact[]) => {
  const found = await tasks.given(...facts).document('purges', SUBSCRIBER);
  return found && [found.reason, found.due_at];
};
const asked = async (...facts: readonly Fact[]) =>
  (await tasks.given(...facts).document('confirmations', SUBSCRIBER))?.caused_at ?? null;

test('a new address receives its confirmation request before all other messages', async () => {
  const [document] = await tasks.given(subscriberAdded()).documents('confirmations');
  assert.equal(
    { ...document, cause: document?.cause.kind },
    {
      ...own,
      cause: 'subscription_confirmation',
      priority: 'account',
      series: null,
      caused_at: ADDED_AT,
      changed_position: 10,
    },
  );
});

test('each confirmation request has its own message, and only the newest one can be confirmed', async () => {
  assert.is(await asked(subscriberAdded(), confirmationRequested()), LATER);
  const once = await tasks.given(subscriberAdded()).document('confirmations', SUBSCRIBER);
  const twice = await tasks.given(subscriberAdded(), confirmationRequested()).document('confirmations', SUBSCRIBER);
  assert.is.not(once?.cause.id, twice?.cause.id);
});

test('no confirmation message is sent if none is needed, or if too many were requested', async () => {
  assert.is(await asked(subscriberAdded({ verified: true, asks: false, purge_at: null })), null);
  assert.is(await asked(subscriberAdded({ asks: false })), null);
  assert.is(
    await asked(subscriberAdded(), confirmationRequested({ asks: false })),
    ADDED_AT,
    'the message before counts',
  );
});

test('no confirmation message is sent after the address has confirmed or unsubscribed', async () => {
  for (const end of [subscriberVerified(), subscriberUnsubscribed(), subscriberDeleted(), subscriberPurged()]) {
    const given = tasks.given(subscriberAdded(), end);
    for (const list of ['confirmations', 'challenges', 'purges'] as const) await given.thenNone(list);
  }
});

test('a webhook gets a challenge immediately, then hourly for a day', async () => {
  assert.equal(await challenge(webhookAdded()), [0, ADDED_AT]);
  assert.is(await asked(webhookAdded()), null);
  assert.equal(await challenge(webhookAdded(), challengeFailed(1)), [1, '2026-11-20T17:00:00.000000']);
  assert.equal(await challenge(webhookAdded(), challengeFailed(24)), [24, '2026-11-20T17:00:00.000000']);
  assert.is(await challenge(webhookAdded(), challengeFailed(25)), null);
  assert.equal(await challenge(webhookAdded(), challengeFailed(25), confirmationRequested({ mode: 'webhook' })), [
    0,
    LATER,
  ]);
});

test('an unconfirmed subscription is removed seven days after its newest confirmation request', async () => {
  assert.equal(await purge(subscriberAdded()), ['unconfirmed', UNCONFIRMED_UNTIL]);
  assert.equal(await purge(subscriberAdded(), confirmationRequested()), ['unconfirmed', '2026-11-27T16:00:00.000000']);
  assert.is(await purge(subscriberAdded({ verified: true, purge_at: null })), null);
});

test('an unreachable subscription is removed at the end of its quarantine', async () => {
  const quarantined = [subscriberAdded(), subscriberVerified(), subscriberQuarantined()];
  const until = ['quarantined', '2027-02-18T16:00:00.000000'];
  assert.equal(await purge(...quarantined), until);
  assert.equal(await purge(...quarantined, confirmationRequested()), until, 'asking alone proves nothing');
  assert.is(await purge(...quarantined, subscriberReleased()), null);
  assert.is(await purge(...quarantined, confirmationRequested(), subscriberVerified()), null);
});

test('an active subscription with an unconfirmed change is not removed', async () => {
  assert.is(await purge(subscriberAdded(), subscriberVerified(), confirmationRequested()), null);
});

test.run();

projectionRules(subscriptionTasks, [
  subscriberAdded(),
  confirmationRequested(),
  subscriberVerified(),
  subscriberChanged({ deliver_notifications: false }, { deliver_notifications: true }),
  subscriberQuarantined(),
  subscriberReleased(),
  subscriberUnsubscribed(),
  subscriberDeleted(),
  webhookAdded({ number: 2 }),
  challengeFailed(),
  subscriberPurged('unconfirmed', 2),
]);
