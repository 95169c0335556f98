import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle, type Handle } from '../../commands/engine/handle.ts';
import { invoiceProvider } from '../../commands/payments/invoices.ts';
import { orderPayment, renewSubscription } from '../../commands/payments/payments.ts';
import { AlreadyPending } from '../../commands/payments/pending-orders.ts';
import { createOrganization } from '../../commands/organizations/organizations.ts';
import { Conflict, IllegalState, Invalid } from '../../domain/errors.ts';
import { existing, paymentDecider } from '../../domain/payment/state.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { PLANS, SELLER, TEAM } from '../payments.ts';
import { aContext, withRandomDelays, ProcessDied, dyingAtAppend, randomFrom } from './simulated-processes.ts';

const test = suite('payments, by several processes');

const handleOf = (store: EventStore): Handle =>
  createHandle({
    store: createCheckedStore(store),
    clock: () => Date.UTC(2026, 10, 20, 15),
    pause: () => Promise.resolve(),
  });

const processOf = (store: EventStore) => {
  const handle = handleOf(store);
  const provider = invoiceProvider({ handle }, SELLER);
  const order = (plan_id: string, context = aContext(), period_months: number | null = null) =>
    orderPayment({ handle, plans: PLANS, payments: provider })({ plan_id, period_months }, context);
  const begin = async (id: string): Promise<void> => {
    const context = aContext();
    await provider.begin(existing(await handle.load(id, paymentDecider, context)), context);
  };
  return { handle, provider, order, begin };
};

const stage = async () => {
  const store = createMemoryEventStore('main');
  await createOrganization({ handle: handleOf(store) })({ name: 'Acme' }, aContext());
  const typesOf = async (stream: string): Promise<string[]> =>
    (await store.readStream(stream, { from: 0n, limit: 1_000 })).map(({ type }) => type);
  const numbers = async (): Promise<[number, string][]> =>
    (await store.readStream('invoice_sequence-2026', { from: 0n, limit: 1_000 })).map(({ data }) => {
      const { number, payment_id } = data as { number: number; payment_id: string };
      return [number, payment_id];
    });
  return { store, typesOf, numbers };
};

test('payments have unique numbers without gaps, even if two processes assign numbers concurrently', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { store, numbers } = await stage();
    const random = randomFrom(seed);
    const [one, other] = [processOf(withRandomDelays(store, random)), processOf(withRandomDelays(store, random))];
    const ids = [];
    for (const plan of ['team', 'large', 'yen', 'week']) ids.push(await one.order(plan));
    await Promise.all(ids.flatMap((id) => [one.begin(id), other.begin(id)]));
    const assigned = await numbers();
    assert.equal(
      assigned.map(([number]) => number),
      [1, 2, 3, 4],
      `seed ${seed}`,
    );
    assert.equal(new Set(assigned.map(([, id]) => id)).size, 4);
  }
});

test('a payment keeps its number if the process died after any step', async () => {
  for (let step = 1; step <= 2; step++) {
    const { store, numbers, typesOf } = await stage();
    const id = await processOf(store).order('team');
    const dying = processOf(dyingAtAppend(store, step));
    try {
      await dying.begin(id);
      assert.unreachable('It should have died.');
    } catch (error) {
      assert.instance(error, ProcessDied);
    }
    await processOf(store).begin(id);
    assert.equal(await numbers(), [[1, id]]);
    assert.equal(await typesOf(`payment-${id}`), ['PaymentCreated', 'PaymentInvoiced']);
  }
});

test('two processes that order a plan concurrently create one payment', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { store } = await stage();
    const random = randomFrom(seed);
    const [one, other] = [processOf(withRandomDelays(store, random)), processOf(withRandomDelays(store, random))];
    const ends = await Promise.allSettled([one.order('team'), other.order('team'), one.order('team')]);
    assert.is(ends.filter(({ status }) => status === 'fulfilled').length, 1, `seed ${seed}`);
    for (const end of ends) if (end.status === 'rejected') assert.instance(end.reason, Conflict);
  }
});

test('a plan can be ordered although a process died after claiming the order', async () => {
  const { store, typesOf } = await stage();
  await processOf(dyingAtAppend(store, 1))
    .order('team')
    .catch(() => undefined);
  const id = await processOf(store).order('team');
  assert.equal(await typesOf(`payment-${id}`), ['PaymentCreated']);
});

test('a repeated order creates only one payment', async () => {
  const { store } = await stage();
  const again = () => aContext({ commandId: 'c0ffee00-0000-5000-8000-000000000000', repeatable: true });
  const { order } = processOf(store);
  // The IDs that a context generates are derived from its command ID.
  const ids = [await order('team', again()), await processOf(store).order('team', again())];
  assert.is(ids[0], ids[1]);
});

test('a subscription is continued by one payment, and by none while another payment for the plan is pending', async () => {
  const { store } = await stage();
  const { handle, provider } = processOf(store);
  const renewal = { subscription_id: 'one', end_date: '2026-12-20T15:00:00.000000' };
  const renew = () => renewSubscription({ handle, provider })({ renewal, plan: TEAM }, aContext());
  await renew();
  await renew();
  const events = await store.readAll({ after: 0n, limit: 1_000 });
  assert.is(events.filter(({ type }) => type === 'PaymentCreated').length, 1);

  const second = await stage();
  const other = processOf(second.store);
  await other.order('team');
  try {
    await renewSubscription(other)({ renewal, plan: TEAM }, aContext());
    assert.unreachable('Another payment is pending.');
  } catch (error) {
    assert.instance(error, AlreadyPending);
  }
});

test("payments are refused for plans that can't be bought, and for all plans where no payee is configured", async () => {
  const { store } = await stage();
  const { handle, order } = processOf(store);
  for (const plan of ['free', 'gift', 'none']) {
    await order(plan).then(
      () => {
        assert.unreachable(plan);
      },
      (error: unknown) => {
        assert.ok(error instanceof Invalid && error.errors.json?.['plan_id'], plan);
      },
    );
  }
  await orderPayment({ handle, plans: PLANS, payments: null })(
    { plan_id: 'team', period_months: null },
    aContext(),
  ).then(assert.unreachable, (error: unknown) => {
    assert.instance(error, IllegalState);
  });
});

test.run();
