import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Conflict, IllegalState, NotFound } from '../../../domain/errors.ts';
import * as decide from '../../../domain/subscriber/decide.ts';
import { admit, type SignUp } from '../../../domain/subscriber/sign-up.ts';
import { subscriberDecider } from '../../../domain/subscriber/state.ts';
import type { SubscriberEvent } from '../../../domain/subscriber/events.ts';
import { specification } from '../specification.ts';
import {
  ADDED_AT,
  challengeFailed,
  confirmationRequested,
  INCIDENT,
  LATER,
  sealedUnder,
  secretRotated,
  subscriberAdded,
  subscriberChanged,
  subscriberDeleted,
  subscriberPurged,
  subscriberQuarantined,
  subscriberReleased,
  subscriberUnsubscribed,
  subscriberVerified,
  webhookAdded,
} from './examples.ts';

const subscriber = specification(subscriberDecider);
const test = suite('a subscriber');
const active = [subscriberAdded(), subscriberVerified()];

test('a subscriber is confirmed once', () => {
  subscriber
    .given(subscriberAdded())
    .when((it) => decide.verifySubscriber(it, 1, LATER))
    .then(subscriberVerified());
  subscriber
    .given(...active)
    .when((it) => decide.verifySubscriber(it, 1, LATER))
    .thenNothing();
});

test('a subscriber is confirmed neither by a link of an earlier subscription, nor by a link of a subscription that has ended', () => {
  for (const given of [
    [],
    [subscriberAdded(), subscriberDeleted(), subscriberAdded({ number: 2 })],
    [...active, subscriberUnsubscribed()],
    [subscriberAdded(), subscriberPurged()],
  ] satisfies SubscriberEvent[][]) {
    subscriber
      .given(...given)
      .when((it) => decide.verifySubscriber(it, 1, LATER))
      .throws(NotFound);
  }
});

test('a subscriber gets new settings after confirming them', () => {
  const wanted = { component_ids: null, incident_id: INCIDENT };
  subscriber
    .given(...active, confirmationRequested({ wanted }))
    .when((it) => decide.verifySubscriber(it, 1, LATER))
    .then(subscriberVerified(wanted));
});

test('a link can end its subscription repeatedly, but no later subscription of the address', () => {
  const ends = (it: Parameters<typeof decide.unsubscribe>[0]) => decide.unsubscribe(it, 1, LATER);
  subscriber
    .given(...active)
    .when(ends)
    .then(subscriberUnsubscribed());
  subscriber
    .given(...active, subscriberUnsubscribed())
    .when(ends)
    .thenNothing();
  subscriber
    .given(...active, subscriberDeleted())
    .when(ends)
    .thenNothing();
  subscriber
    .given(...active, subscriberUnsubscribed(), subscriberAdded({ number: 2 }))
    .when(ends)
    .throws(NotFound);
});

test('a subscriber can be changed, and enabling delivery ends the quarantine', () => {
  subscriber
    .given(...active)
    .when((it) => decide.changeSubscriber(it, { deliver_notifications: false }, LATER))
    .then(subscriberChanged({ deliver_notifications: false }, { deliver_notifications: true }));
  subscriber
    .given(...active)
    .when((it) => decide.changeSubscriber(it, { component_ids: null, deliver_notifications: true }, LATER))
    .thenNothing();
  subscriber
    .given(...active, subscriberQuarantined())
    .when((it) => decide.changeSubscriber(it, { deliver_notifications: true }, LATER))
    .then(subscriberReleased());
  subscriber
    .given(...active, subscriberUnsubscribed())
    .when((it) => decide.changeSubscriber(it, { deliver_notifications: true }, LATER))
    .throws(IllegalState, 'The receiver has ended this subscription.');
});

test('a subscriber enters quarantine only while it receives messages', () => {
  const quarantine = (it: Parameters<typeof decide.unsubscribe>[0]) =>
    decide.quarantineSubscriber(it, 1, 'The address does not exist.', LATER);
  subscriber
    .given(...active)
    .when(quarantine)
    .then(subscriberQuarantined());
  for (const given of [
    [subscriberAdded()],
    [...active, subscriberQuarantined()],
    [...active, subscriberDeleted()],
    [...active, subscriberUnsubscribed(), subscriberAdded({ number: 2, verified: true })],
  ] satisfies SubscriberEvent[][]) {
    subscriber
      .given(...given)
      .when(quarantine)
      .thenNothing();
  }
});

test('a subscriber is purged only while the reason for the purge applies', () => {
  const purge =
    (reason: Parameters<typeof decide.purgeSubscriber>[2]) => (it: Parameters<typeof decide.unsubscribe>[0]) =>
      decide.purgeSubscriber(it, 1, reason, LATER);
  subscriber.given(subscriberAdded()).when(purge('unconfirmed')).then(subscriberPurged());
  subscriber
    .given(...active)
    .when(purge('unconfirmed'))
    .thenNothing();
  subscriber
    .given(...active)
    .when(purge('quarantined'))
    .thenNothing();
  subscriber
    .given(...active)
    .when(purge('incident_ended'))
    .thenNothing();
  subscriber
    .given(...active, subscriberUnsubscribed())
    .when(purge('page_deleted'))
    .then(subscriberPurged('page_deleted'));
});

test('removing a subscriber deletes the keys of all its subscriptions', () => {
  subscriber
    .given(...active, subscriberUnsubscribed(), subscriberAdded({ number: 2 }))
    .when((it) => decide.deleteSubscriber(it, LATER))
    .then(subscriberDeleted(2, 1));
  subscriber
    .given(...active, subscriberDeleted(), subscriberAdded({ number: 2 }))
    .when((it) => decide.deleteSubscriber(it, LATER))
    .then(subscriberDeleted(2, 2));
  subscriber
    .given(...active, subscriberDeleted())
    .when((it) => decide.deleteSubscriber(it, LATER))
    .throws(NotFound);
});

test('only webhook subscribers have a secret', () => {
  const rotate = (it: Parameters<typeof decide.unsubscribe>[0]) =>
    decide.rotateSecret(it, sealedUnder(1, 'another secret'), LATER);
  subscriber.given(webhookAdded()).when(rotate).then(secretRotated());
  subscriber
    .given(...active)
    .when(rotate)
    .throws(IllegalState, 'Only subscribers of mode webhook have a secret.');
});

test('failed challenges of a webhook subscriber are counted', () => {
  subscriber
    .given(webhookAdded(), challengeFailed(1))
    .when((it) => decide.recordFailedChallenge(it, 1, 'hook.example answered 404.', LATER))
    .then(challengeFailed(2));
});

const wantsAll: SignUp = {
  mode: 'email',
  narrowing: { component_ids: null, incident_id: null },
  trusted: false,
  skips: false,
  mayAsk: true,
  readable: true,
};
const LIMITS = { confirmationsPerDay: 3 };

const signsUp = (given: readonly SubscriberEvent[], signUp: Partial<SignUp> = {}) =>
  admit(subscriber.given(...given).state(), { ...wantsAll, ...signUp }, LIMITS, LATER);

const added = (given: readonly SubscriberEvent[], signUp: Partial<SignUp> = {}) => {
  const admission = signsUp(given, signUp);
  return admission.does === 'add' ? [admission.after, admission.asks] : admission.does;
};

test('an unknown or former subscriber subscribes under the next number', () => {
  assert.equal(added([]), [0, true]);
  assert.equal(added([...active, subscriberUnsubscribed()]), [1, true]);
  assert.equal(added([...active, subscriberDeleted()]), [1, true]);
  assert.equal(added([subscriberAdded(), subscriberPurged()]), [1, true]);
  assert.equal(added([], { trusted: true, skips: true }), [0, false]);
  // If the log was restored from an old backup, the key that decrypts the address may already be deleted.
  assert.equal(added(active, { readable: false }), [1, true]);
});

test('a pending subscriber receives at most three confirmation requests a day', () => {
  assert.is(signsUp([subscriberAdded()]).does, 'ask');
  const twice = [subscriberAdded(), confirmationRequested()];
  assert.is(signsUp(twice).does, 'ask');
  assert.is(signsUp([...twice, confirmationRequested()]).does, 'nothing');
  const yesterday = { asks: true, requested_at: '2026-11-19T16:00:00.000000' };
  assert.is(
    signsUp([
      subscriberAdded({ added_at: '2026-11-19T15:00:00.000000' }),
      confirmationRequested(yesterday),
      confirmationRequested(),
    ]).does,
    'ask',
  );
  assert.is(signsUp([subscriberAdded()], { mayAsk: false }).does, 'nothing');
});

test('a subscriber who unsubscribes and returns receives no additional confirmation requests', () => {
  const often = [1, 2, 3].flatMap((number): SubscriberEvent[] => [
    subscriberAdded({ number, added_at: ADDED_AT }),
    subscriberDeleted(number, number),
  ]);
  assert.equal(added(often), [3, false]);
});

test('a repeated subscription does not reveal an active subscriber to strangers, and is a conflict for callers with an API key', () => {
  assert.is(signsUp(active).does, 'nothing');
  assert.is(signsUp(active, { narrowing: { component_ids: null, incident_id: INCIDENT } }).does, 'ask');
  assert.throws(
    () => signsUp(active, { trusted: true }),
    (error: unknown) => error instanceof Conflict,
  );
});

test('a subscriber added with an API key keeps its settings until it confirms the newly requested settings', () => {
  const theirs = [subscriberAdded({ added_with_key: true, component_ids: ['comp00000001'] })];
  const admission = signsUp(theirs, { narrowing: { component_ids: null, incident_id: INCIDENT } });
  assert.equal(admission.does === 'ask' && [admission.wanted, admission.added_with_key], [
    { component_ids: ['comp00000001'], incident_id: null },
    true,
  ]);
});

test('a subscriber in quarantine has to confirm again when it subscribes, unless an editor skips the confirmation', () => {
  const quarantined = [...active, subscriberQuarantined()];
  assert.is(signsUp(quarantined).does, 'ask');
  assert.equal(added(quarantined, { trusted: true, skips: true }), [1, false]);
});

test("subscribing an active webhook is a conflict, and strangers can't take over a webhook that was added with an API key", () => {
  const conflicts = (given: readonly SubscriberEvent[], more: Partial<SignUp> = {}) => {
    assert.throws(
      () => signsUp(given, { mode: 'webhook', ...more }),
      (error: unknown) => error instanceof Conflict,
    );
  };
  conflicts([webhookAdded(), subscriberVerified()]);
  conflicts([webhookAdded(), subscriberVerified()], { trusted: true });
  conflicts([webhookAdded({ added_with_key: true })]);
  conflicts([webhookAdded()], { mayAsk: false });
  assert.is(signsUp([webhookAdded()], { mode: 'webhook' }).does, 'ask');
  assert.is(signsUp([webhookAdded({ added_with_key: true })], { mode: 'webhook', trusted: true }).does, 'ask');
  assert.equal(added([webhookAdded(), subscriberVerified(), subscriberQuarantined()], { mode: 'webhook' }), [1, true]);
});

test('an import adds new addresses, confirms pending ones, and does not change the others', () => {
  const imports = (given: readonly SubscriberEvent[], more: Partial<SignUp> = {}) =>
    signsUp(given, { trusted: true, imported: true, ...more });
  const skips = { skips: true };
  const nothing = { does: 'nothing' } as const;
  assert.equal(imports([]), { does: 'add', after: 0, asks: true });
  assert.equal(imports([subscriberAdded()]), nothing);
  assert.equal(imports([subscriberAdded()], skips), { does: 'add', after: 1, asks: false });
  assert.equal(imports(active), nothing);
  assert.equal(imports(active, skips), nothing);
  assert.equal(imports([...active, subscriberQuarantined()], skips), nothing);
  assert.equal(imports([...active, subscriberDeleted()]), { does: 'add', after: 1, asks: true });
  assert.equal(imports(active, { readable: false }), { does: 'add', after: 1, asks: true });
  assert.throws(() => imports([...active, subscriberUnsubscribed()], skips), isEnded);
  assert.equal(imports([webhookAdded(), subscriberVerified()], { mode: 'webhook' }), nothing);
});

const isEnded = (error: unknown): boolean =>
  error instanceof Conflict && error.message === 'The receiver has ended this subscription.';

test.run();
