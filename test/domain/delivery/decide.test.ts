import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  abandonDelivery,
  planPage,
  recordAttempt,
  retryDelivery,
  type CauseOf,
  type DeliveryReceiver,
  type CompletedAttempt,
} from '../../../domain/delivery/decide.ts';
import { deliveryIdOf, shardOf, DELIVERY_SHARDS } from '../../../domain/delivery/events.ts';
import { plannedDelivery } from '../../../domain/delivery/state.ts';
import { IllegalState } from '../../../domain/errors.ts';
import { ORGANIZATION } from '../check/examples.ts';
import { attempt, CAUSE, DELIVERY, deliveryPlanned, NOT_AFTER, PLANNED_AT } from './examples.ts';

const test = suite('deliveries');

const cause: CauseOf = {
  organization_id: ORGANIZATION,
  cause: CAUSE,
  caused_at: PLANNED_AT,
  series: null,
  priority: 'page',
};
const receiver = (id: string): DeliveryReceiver => ({ id, notifier: 'webhook', target: `host of ${id}` });
const delivery = plannedDelivery(deliveryPlanned().data, { at: PLANNED_AT, position: 10 });
const NOW = '2026-11-20T15:00:10.000000';

const failed = (fields: Partial<Extract<CompletedAttempt, { status: 'failed' }>> = {}): CompletedAttempt => ({
  status: 'failed',
  permanent: false,
  notBefore: null,
  reason: 'status',
  error_message: '127.0.0.1:80 answered 503.',
  ...fields,
});

test('deliveries are planned in batches, and each batch records the progress of planning', () => {
  const first = planPage(cause, [receiver('r1'), receiver('r2')], null, { complete: false, now: PLANNED_AT });
  assert.equal(
    first.map(({ type }) => type),
    ['DeliveriesPlanned', 'FanOutAdvanced'],
  );
  assert.equal(first[0]?.data, {
    organization_id: ORGANIZATION,
    cause: CAUSE,
    caused_at: PLANNED_AT,
    series: null,
    priority: 'page',
    about: null,
    not_after: NOT_AFTER,
    deliveries: ['r1', 'r2'].map((id) => ({
      delivery_id: deliveryIdOf(CAUSE, id),
      receiver_id: id,
      notifier: 'webhook',
      target: `host of ${id}`,
    })),
  });
  const begun = { organization_id: ORGANIZATION, cause: CAUSE, begun_at: PLANNED_AT };
  assert.equal(first[1]?.data, { ...begun, page: 1, after: 'r2', planned: 2, complete: false });
  const before = { begun_at: PLANNED_AT, page: 1, after: 'r2', planned: 2, complete: false };
  const last = planPage(cause, [], before, { complete: true, now: NOW });
  assert.equal(
    last.map(({ data }) => data),
    [{ ...begun, page: 2, after: 'r2', planned: 2, complete: true }],
  );
});

test('a delivery expires at the time that its cause specifies, or otherwise a day after its cause', () => {
  const not_after = '2026-11-20T15:30:00.000000';
  const [planned] = planPage({ ...cause, not_after }, [receiver('r1')], null, { complete: true, now: NOW });
  assert.is(planned?.type === 'DeliveriesPlanned' && planned.data.not_after, not_after);
  // A delivery that is planned late still expires a day after its cause.
  const [late] = planPage(cause, [receiver('r1')], null, { complete: true, now: '2026-11-21T10:00:00.000000' });
  assert.is(late?.type === 'DeliveriesPlanned' && late.data.not_after, NOT_AFTER);
});

test('a delivery has the same ID for the same cause and recipient, and different IDs otherwise', () => {
  assert.is(deliveryIdOf(CAUSE, 'r1'), deliveryIdOf({ ...CAUSE }, 'r1'));
  const others = [deliveryIdOf(CAUSE, 'r2'), deliveryIdOf({ ...CAUSE, kind: 'alert' }, 'r1')];
  assert.is(new Set([deliveryIdOf(CAUSE, 'r1'), ...others]).size, 3);
  assert.ok(DELIVERY_SHARDS.includes(shardOf({ cause: CAUSE, series: null })));
  const ofSeries = ['1', '2', '3', '4', '5'].map((id) => shardOf({ cause: { ...CAUSE, id }, series: 'incident0001' }));
  assert.is(new Set(ofSeries).size, 1);
});

test('a delivery that its target has accepted is recorded as successful', () => {
  assert.equal(recordAttempt(delivery, attempt(1, 5, 200), { status: 'delivered' }, { now: NOW }), {
    type: 'DeliverySucceeded',
    data: { delivery_id: DELIVERY, organization_id: ORGANIZATION, cause: CAUSE, attempt: attempt(1, 5, 200) },
  });
});

test('a failed delivery is retried after 5 s, 30 s, 2 min, 10 min and 1 h, and then fails permanently', () => {
  const later = [0, 1, 2, 3, 4, 5].map((tries) => {
    const event = recordAttempt({ ...delivery, tries }, attempt(tries + 1), failed(), { now: NOW });
    return event.type === 'DeliveryAttemptFailed' ? event.data.retry_at.slice(11, 19) : event.type;
  });
  assert.equal(later, ['15:00:15', '15:00:40', '15:02:10', '15:10:10', '16:00:10', 'DeliveryGivenUp']);
  const last = recordAttempt({ ...delivery, tries: 5 }, attempt(6), failed(), { now: NOW });
  assert.is(last.type === 'DeliveryGivenUp' && last.data.because, 'exhausted');
  assert.equal(last.type === 'DeliveryGivenUp' && last.data.attempt, attempt(6));
});

test('a delivery is retried at the time that its target requests, but not before the usual backoff and not more than an hour after the failed attempt', () => {
  const at = (notBefore: string): unknown => {
    const event = recordAttempt(delivery, attempt(1), failed({ notBefore }), { now: NOW });
    return event.type === 'DeliveryAttemptFailed' && event.data.retry_at.slice(11, 19);
  };
  assert.is(at('2026-11-20T15:00:50.000000'), '15:00:50');
  assert.is(at('2026-11-20T15:00:11.000000'), '15:00:15');
  assert.is(at('2026-11-20T14:00:00.000000'), '15:00:15');
  assert.is(at('2027-11-20T14:00:00.000000'), '16:00:10');
});

test('a delivery with a permanent error fails without retries', () => {
  const event = recordAttempt(delivery, attempt(1, 5, 410), failed({ permanent: true }), { now: NOW });
  assert.is(event.type === 'DeliveryGivenUp' && event.data.because, 'permanent');
});

test('a delivery fails permanently if its next attempt would be after its expiry', () => {
  const event = recordAttempt({ ...delivery, not_after: '2026-11-20T15:00:15.000000' }, attempt(1), failed(), {
    now: NOW,
  });
  assert.is(event.type === 'DeliveryGivenUp' && event.data.because, 'expired');
});

test('a delivery that is abandoned without another attempt records a readable reason', () => {
  for (const because of ['expired', 'withdrawn', 'superseded', 'dropped'] as const) {
    const event = abandonDelivery(delivery, because);
    assert.is(event.type === 'DeliveryGivenUp' && event.data.because, because);
    assert.match(event.type === 'DeliveryGivenUp' ? event.data.error_message : '', /\.$/);
  }
});

test('e-mail and SMS deliveries are retried after 1, 5, 15 and 60 minutes, then hourly until a day after their cause', () => {
  for (const notifier of ['email', 'sms']) {
    const later = [0, 1, 2, 3, 4, 5, 21].map((tries) => {
      const event = recordAttempt({ ...delivery, notifier, tries }, attempt(tries + 1), failed(), { now: NOW });
      return event.type === 'DeliveryAttemptFailed' && event.data.retry_at.slice(11, 19);
    });
    assert.equal(later, ['15:01:10', '15:05:10', '15:15:10', '16:00:10', '16:00:10', '16:00:10', '16:00:10']);
    const now = '2026-11-21T14:30:00.000000';
    const last = recordAttempt({ ...delivery, notifier, tries: 22 }, attempt(23), failed(), { now });
    assert.is(last.type === 'DeliveryGivenUp' && last.data.because, 'expired');
  }
});

test('a failed delivery is superseded by a newer delivery of its series, and a successful delivery is not', () => {
  const event = recordAttempt(delivery, attempt(1), failed(), { now: NOW, superseded: true });
  assert.is(event.type === 'DeliveryGivenUp' && event.data.because, 'superseded');
  const sent = recordAttempt(delivery, attempt(1), { status: 'delivered' }, { now: NOW, superseded: true });
  assert.is(sent.type, 'DeliverySucceeded');
});

test('a person can retry only deliveries that failed permanently', () => {
  assert.throws(
    () => retryDelivery(delivery, NOW),
    (error: unknown) => error instanceof IllegalState,
  );
  assert.equal(retryDelivery({ ...delivery, status: 'given_up', retries: 1 }, NOW).data, {
    delivery_id: DELIVERY,
    organization_id: ORGANIZATION,
    cause: CAUSE,
    retry: 2,
    not_after: '2026-11-21T15:00:10.000000',
  });
});

test.run();
