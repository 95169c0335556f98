import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { digestDeliveries } from '../../../domain/delivery/digest.ts';
import { deliveryIdOf, type Cause } from '../../../domain/delivery/events.ts';
import { deliveries } from '../../../projections/deliveries/projection.ts';
import { ORGANIZATION } from '../../domain/check/examples.ts';
import { attempt, deliveriesPlanned, NOT_AFTER, PLANNED_AT } from '../../domain/delivery/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('deliveries held back for a digest');
const planned = projection(deliveries);

const receiver_id = 'channel00001';
const [organization_id, notifier, target] = [ORGANIZATION, 'telegram', 'target of the channel'];
const causeOf = (id: string): Cause => ({ kind: 'alert', id: `${id}/fired` });
const idOf = (id: string): string => deliveryIdOf(causeOf(id), receiver_id);
const held = (id: string): Fact =>
  deliveriesPlanned({
    cause: causeOf(id),
    series: id,
    in_order: true,
    priority: 'alert',
    about: null,
    deliveries: [{ delivery_id: idOf(id), receiver_id, notifier, target, held: true }],
  });
const delivery_ids = ['alert0000001', 'alert0000002'].map(idOf);
const digested = digestDeliveries({ organization_id, receiver_id, notifier, target, delivery_ids }, PLANNED_AT);
if (digested.type !== 'DeliveriesDigested') throw new Error('It is no digest.');
const { delivery_id, cause } = digested.data;
const whose = { delivery_id, organization_id, cause };
const failure = { reason: 'status', error_message: 'The target answered 503.' };
const failed: Fact = {
  type: 'DeliveryAttemptFailed',
  data: { ...whose, attempt: attempt(1), ...failure, retry_at: '2026-11-20T15:00:06.000000' },
};
const succeeded = (number: number): Fact => ({
  type: 'DeliverySucceeded',
  data: { ...whose, attempt: attempt(number) },
});
const givenUp: Fact = {
  type: 'DeliveryGivenUp',
  data: { ...whose, because: 'permanent', ...failure, attempt: attempt(1) },
};
const two = [held('alert0000001'), held('alert0000002')];

test('deliveries held back for a digest have the status planned and are not due', async () => {
  const given = planned.given(...two);
  await given.thenNone('due_deliveries');
  assert.equal(
    (await given.documents('deliveries')).map(({ status }) => status),
    ['planned', 'planned'],
  );
  const [due] = await given.documents('due_digests');
  assert.equal([due?.id, due?.held, due?.due_at], [receiver_id, 2, '2026-11-20T15:00:10.000000']);
});

test('a digest replaces the deliveries held back, and is due immediately', async () => {
  const given = planned.given(...two, digested);
  await given.thenNone('due_digests');
  const [due, ...others] = await given.documents('due_deliveries');
  assert.equal([due?.id, due?.priority, due?.not_after, others.length], [delivery_id, 'alert', NOT_AFTER, 0]);
  const members = await given.documents('held_deliveries');
  assert.equal(
    members.map(({ digest_id }) => digest_id),
    [delivery_id, delivery_id],
  );
});

test('deliveries held back after a digest wait for the next digest, which is due immediately', async () => {
  const given = planned.given(...two, held('alert0000003'), digested);
  const [due] = await given.documents('due_digests');
  assert.equal([due?.held, due?.due_at, due?.changed_position], [1, '2026-11-20T15:00:03.000000', 40]);
});

test('the members of a digest have the same outcome as the digest', async () => {
  const ends = async (...facts: readonly Fact[]) => {
    const given = planned.given(...two, digested, ...facts);
    const members = await Promise.all(delivery_ids.map((id) => given.document('deliveries', id)));
    const waiting = (await given.documents('held_deliveries')).length;
    return [members.map((member) => [member?.status, member?.attempt_count]), waiting];
  };
  const both = (status: string, tries: number) => [
    [status, tries],
    [status, tries],
  ];
  assert.equal(await ends(failed), [both('planned', 1), 2]);
  assert.equal(await ends(failed, failed), [both('planned', 1), 2]);
  assert.equal(await ends(failed, succeeded(2)), [both('delivered', 2), 0]);
  assert.equal(await ends(givenUp), [both('given_up', 1), 0]);
});

test('each delivery is replaced by at most one digest', async () => {
  const given = planned.given(...two, digested, succeeded(1), digested);
  await given.thenNone('due_deliveries');
  await given.thenNone('held_deliveries');
});

test.run();

projectionRules(deliveries, [
  ...two,
  held('alert0000003'),
  digested,
  failed,
  succeeded(2),
  {
    type: 'DeliveryPlanned',
    data: { ...whose, delivery_id: 'x', cause: causeOf('x'), receiver_id, notifier, target, not_after: NOT_AFTER },
  },
  givenUp,
  { type: 'DeliveryRetried', data: { ...whose, retry: 1, not_after: NOT_AFTER } },
  {
    type: 'FanOutAdvanced',
    data: {
      organization_id,
      cause: causeOf('x'),
      begun_at: PLANNED_AT,
      page: 1,
      after: null,
      planned: 1,
      complete: true,
    },
  },
]);
