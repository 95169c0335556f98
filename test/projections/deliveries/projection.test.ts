import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { digestDeliveries } from '../../../domain/delivery/digest.ts';
import { deliveries } from '../../../projections/deliveries/projection.ts';
import { ORGANIZATION } from '../../domain/check/examples.ts';
import {
  attempt,
  attemptFailed,
  CAUSE,
  DELIVERY,
  deliveriesPlanned,
  deliveryGivenUp,
  deliveryPlanned,
  deliveryRetried,
  deliverySucceeded,
  FAN_OUT,
  fanOutAdvanced,
  NOT_AFTER,
  PLANNED_AT,
  RECEIVER,
} from '../../domain/delivery/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of deliveries');
const planned = projection(deliveries);

const RETRY_AT = '2026-11-20T15:00:06.000000';

test('a planned delivery is due immediately', async () => {
  const given = planned.given(deliveriesPlanned());
  await given.then('deliveries', {
    id: DELIVERY,
    organization_id: ORGANIZATION,
    cause: CAUSE,
    cause_key: FAN_OUT,
    caused_at: PLANNED_AT,
    series: 'incident0001',
    in_order: false,
    priority: 'page',
    page_id: 'page00000001',
    event: 'incident.created',
    incident_id: 'incident0001',
    incident_update_id: null,
    receiver_id: RECEIVER,
    notifier: 'webhook',
    target: 'target of the subscriber',
    recipient: null,
    status: 'planned',
    due_at: PLANNED_AT,
    not_after: NOT_AFTER,
    attempt_count: 0,
    tries: 0,
    attempts: [],
    retries: 0,
    planned_position: 10,
    given_up: null,
    created_at: PLANNED_AT,
    updated_at: PLANNED_AT,
  });
  await given.then('due_deliveries', {
    id: DELIVERY,
    organization_id: ORGANIZATION,
    cause: CAUSE,
    series: 'incident0001',
    in_order: false,
    priority: 'page',
    series_key: `incident0001/${RECEIVER}`,
    planned_position: 10,
    receiver_id: RECEIVER,
    notifier: 'webhook',
    target: 'target of the subscriber',
    attempt_count: 0,
    tries: 0,
    not_after: NOT_AFTER,
    due_at: PLANNED_AT,
    created_at: PLANNED_AT,
    changed_position: 10,
  });
});

test('a delivery planned individually, as in earlier releases, belongs to no series', async () => {
  const delivery = await planned.given(deliveryPlanned()).document('deliveries', DELIVERY);
  assert.equal([delivery?.status, delivery?.series, delivery?.priority], ['planned', null, 'page']);
  assert.equal([delivery?.page_id, delivery?.event, delivery?.caused_at], [null, null, PLANNED_AT]);
});

test('a delivery that is planned again stays the same', async () => {
  const given = planned.given(deliveriesPlanned(), deliverySucceeded(), deliveriesPlanned());
  assert.is((await given.document('deliveries', DELIVERY))?.status, 'delivered');
  await given.thenNone('due_deliveries');
});

test('a failed delivery is due again at its retry time', async () => {
  const given = planned.given(deliveryPlanned(), attemptFailed(1, RETRY_AT));
  const due = await given.document('due_deliveries', DELIVERY);
  assert.equal([due?.due_at, due?.tries, due?.attempt_count, due?.changed_position], [RETRY_AT, 1, 1, 20]);
  const delivery = await given.document('deliveries', DELIVERY);
  assert.equal(delivery?.attempts, [
    {
      ...attempt(1, 1, 503),
      outcome: 'failed',
      reason: 'status',
      error_message: '127.0.0.1:80 answered 503.',
      next_at: RETRY_AT,
    },
  ]);
});

test('a delivery that succeeded or failed permanently has ended, whatever events follow', async () => {
  const ended = planned.given(deliveryPlanned(), attemptFailed(1, RETRY_AT), deliverySucceeded(2));
  await ended.thenNone('due_deliveries');
  const delivered = await ended.document('deliveries', DELIVERY);
  assert.equal([delivered?.status, delivered?.due_at, delivered?.attempt_count], ['delivered', null, 2]);
  const late = planned.given(
    deliveryPlanned(),
    attemptFailed(1, RETRY_AT),
    deliverySucceeded(2),
    attemptFailed(3, RETRY_AT),
    deliveryGivenUp(),
  );
  assert.equal(await late.document('deliveries', DELIVERY), delivered);
  const givenUp = planned.given(
    deliveryPlanned(),
    deliveryGivenUp({ attempt: attempt(1, 1, 410) }),
    deliverySucceeded(2),
  );
  const document = await givenUp.document('deliveries', DELIVERY);
  assert.equal(
    [document?.status, document?.given_up?.because, document?.attempts.length],
    ['given_up', 'permanent', 1],
  );
  await givenUp.thenNone('due_deliveries');
});

test('a repeated outcome of an attempt changes nothing', async () => {
  const given = planned.given(deliveryPlanned(), attemptFailed(1, RETRY_AT), deliverySucceeded(1));
  assert.is((await given.document('deliveries', DELIVERY))?.status, 'planned');
});

test('a manual retry restarts a delivery that failed permanently', async () => {
  const given = planned.given(
    deliveryPlanned(),
    attemptFailed(1, RETRY_AT),
    deliveryGivenUp({ attempt: attempt(2) }),
    deliveryRetried(),
  );
  const delivery = await given.document('deliveries', DELIVERY);
  assert.equal([delivery?.status, delivery?.tries, delivery?.attempt_count, delivery?.retries], ['planned', 0, 2, 1]);
  assert.is(delivery?.given_up, null);
  const due = await given.document('due_deliveries', DELIVERY);
  assert.equal([due?.due_at, due?.changed_position], ['2026-11-20T15:00:03.000000', 40]);
  const twice = planned.given(
    deliveryPlanned(),
    deliveryGivenUp(),
    deliveryRetried(),
    deliveryGivenUp(),
    deliveryRetried(),
  );
  assert.is((await twice.document('deliveries', DELIVERY))?.status, 'given_up');
});

test('a delivery whose planning is older than the retention is not stored', async () => {
  const given = planned.given(attemptFailed(1, RETRY_AT), deliveryRetried(), deliverySucceeded(2));
  await given.thenNone('deliveries');
  await given.thenNone('due_deliveries');
});

test('the newest twenty attempts of a delivery are stored', async () => {
  const tries = Array.from({ length: 25 }, (_, index) => attemptFailed(index + 1, RETRY_AT));
  const delivery = await planned.given(deliveryPlanned(), ...tries).document('deliveries', DELIVERY);
  assert.equal([delivery?.attempt_count, delivery?.attempts.length, delivery?.attempts[0]?.number], [25, 20, 6]);
});

test('the planning progress of a cause is stored, and a page of deliveries that is planned again changes nothing', async () => {
  const given = planned.given(fanOutAdvanced(1), fanOutAdvanced(2, { complete: true }), fanOutAdvanced(1));
  await given.then('fan_outs', {
    id: FAN_OUT,
    organization_id: ORGANIZATION,
    cause: CAUSE,
    begun_at: PLANNED_AT,
    page: 2,
    after: 'subscriber02',
    planned: 2,
    complete: true,
  });
});

test('a cause has ended when its planning has finished and none of its deliveries waits', async () => {
  const open = planned.given(deliveryPlanned(), deliverySucceeded());
  assert.is((await open.document('cause_totals', FAN_OUT))?.changed_position, 0);
  const ended = await planned
    .given(deliveryPlanned(), fanOutAdvanced(1, { complete: true }), deliverySucceeded(), deliverySucceeded())
    .document('cause_totals', FAN_OUT);
  assert.equal(
    [ended?.planned, ended?.delivered, ended?.failed, ended?.changed_position, ended?.begun_at],
    [1, 1, 0, 30, PLANNED_AT],
  );
});

test('a cause is open again when one of its permanently failed deliveries is retried', async () => {
  const failed = [deliveryPlanned(), fanOutAdvanced(1, { complete: true }), deliveryGivenUp({ attempt: attempt(1) })];
  const ended = await planned.given(...failed).document('cause_totals', FAN_OUT);
  assert.equal([ended?.failed, ended?.changed_position], [1, 30]);
  const again = await planned.given(...failed, deliveryRetried()).document('cause_totals', FAN_OUT);
  assert.equal([again?.failed, again?.ended_at, again?.changed_position], [0, null, 0]);
});

test('a delivery whose attempt failed is on the list of failures until it is delivered', async () => {
  const failures = async (...facts: readonly Fact[]) =>
    (await planned.given(deliveriesPlanned(), ...facts).documents('failed_deliveries')).map(({ id, refused }) => ({
      id,
      refused,
    }));
  assert.equal(await failures(), []);
  assert.equal(await failures(attemptFailed(1, RETRY_AT)), [{ id: DELIVERY, refused: null }]);
  assert.equal(await failures(attemptFailed(1, RETRY_AT), deliverySucceeded(2)), []);
  const [refused] = await failures(deliveryGivenUp({ attempt: attempt(1) }));
  assert.is(typeof refused?.refused, 'string');
  const full = deliveryGivenUp({ attempt: attempt(1) });
  const [notToBlame] = await failures({ ...full, data: { ...full.data, reason: 'mailbox_full' } });
  assert.is(notToBlame?.refused, null);
});

test.run();

/** The planned delivery of a message about an alert to a recipient of a channel. */
const toChannel = deliveriesPlanned({
  priority: 'alert',
  about: null,
  deliveries: [{ delivery_id: DELIVERY, receiver_id: 'channel00001/12', notifier: 'email', target: 'target' }],
});

test('the newest use of an alert channel is stored, whichever of its recipients got the message', async () => {
  await planned.given(toChannel).thenNone('channel_uses');
  const given = planned.given(toChannel, attemptFailed(1, RETRY_AT), deliverySucceeded(2));
  await given.then('channel_uses', {
    id: 'channel00001',
    organization_id: ORGANIZATION,
    used_at: '2026-11-20T15:00:02.000000',
  });
  await planned.given(deliveriesPlanned(), deliverySucceeded()).thenNone('channel_uses');
});

projectionRules(deliveries, [
  deliveryPlanned(),
  deliveriesPlanned(),
  fanOutAdvanced(1),
  attemptFailed(1, RETRY_AT),
  deliveryGivenUp({ attempt: attempt(2) }),
  deliveryRetried(),
  deliverySucceeded(3),
  fanOutAdvanced(2, { complete: true }),
  digestDeliveries(
    { organization_id: ORGANIZATION, receiver_id: RECEIVER, notifier: 'email', target: '', delivery_ids: [DELIVERY] },
    PLANNED_AT,
  ),
]);
