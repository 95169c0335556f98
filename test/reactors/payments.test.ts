import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../commands/engine/handle.ts';
import { invoiceProvider } from '../../commands/payments/invoices.ts';
import { settlePayment } from '../../commands/payments/payments.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { plansOf, type Plans } from '../../domain/organization/plans.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { DAY_MS, instantOf, MINUTE_MS } from '../../domain/time.ts';
import { payments as paymentModels } from '../../projections/payments/projection.ts';
import { PAYMENT_BEGINNINGS } from '../../reactors/payments/beginnings.ts';
import { PAID_PLANS } from '../../reactors/payments/paid-plans.ts';
import { SUBSCRIPTION_RENEWALS } from '../../reactors/payments/renewals.ts';
import { SUBSCRIPTION_ENDS } from '../../reactors/payments/subscription-ends.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { startService } from '../api/service.ts';
import { FREE, PLANS, SELLER, TEAM } from '../payments.ts';
import { startOnService, type KillPoint } from './start-on-service.ts';
import { shortPause } from './reactor-harness.ts';
import { eventually } from '../waiting.ts';

const test = suite('the reactors of payments');

const START = Date.UTC(2026, 10, 20, 15);

interface Payment {
  id: string;
  status: string;
  invoice_number: string | null;
}

/** Starts a service whose organization buys plans. The reactors can be started and killed. */
const stage = async () => {
  const service = await startService({ now: START, plans: PLANS });
  const { time, request, first, stores } = service;
  const coordination = createMemoryCoordination();
  const handle = createHandle({ store: stores.main, clock: () => time.now });
  const key = first.keys.admin;

  const start = (name: string, { dies = false, plans = PLANS }: { dies?: boolean | KillPoint; plans?: Plans } = {}) =>
    startOnService(service, name, { coordination, logged: [], dies }, (handle) => ({
      plans,
      payments: invoiceProvider({ handle }, SELLER),
    }));
  /**
   * Runs a reactor until a condition holds. Restarts the reactor and advances the clock by ten minutes in between, so
   * that failed items are retried.
   */
  const until = async (
    name: string,
    holds: () => Promise<boolean>,
    as?: { dies?: boolean | KillPoint; plans?: Plans },
  ) => {
    await eventually(async () => {
      const stop = start(name, as);
      let isDone = await holds();
      for (let round = 0; !isDone && round < 20; round++) {
        await shortPause();
        isDone = await holds();
      }
      await stop();
      if (!isDone) time.now += 10 * MINUTE_MS;
      return isDone;
    });
  };
  const payments = async (): Promise<Payment[]> =>
    ((await request('GET', '/v1/payments', { key })).json() as { payments: Payment[] }).payments;
  const order = async (plan_id: string): Promise<string> => {
    const reply = await request('POST', '/v1/payments', { key, body: { plan_id } });
    assert.is(reply.status, 201, reply.text);
    return (reply.json() as Payment).id;
  };
  const settle = async (id: string): Promise<void> => {
    const commandId = derivedUuid(`settle ${id}`);
    const context = { organizationId: first.id, commandId, now: instantOf(time.now), appended: new Map() };
    await settlePayment({ handle })(id, reactorContext('test', context));
    await service.readers.waitFor(['payments'], context);
  };
  const types = async (stream: string): Promise<string[]> =>
    (await stores.main.readStream(stream, { from: 0n, limit: 1_000 })).map(({ type }) => type);
  /** Returns the types of the organization's subscription events. */
  const subscribed = async (): Promise<string[]> =>
    (await types(`organization-${first.id}`)).filter((type) => type.startsWith('Subscription'));
  const autoRenew = async (): Promise<void> => {
    const data = { organization_id: first.id, changes: { auto_renew: true }, previous: { auto_renew: false } };
    const cause = { id: derivedUuid('auto'), by: 'test', organizationId: first.id, now: instantOf(time.now) };
    const event = systemEvent({ type: 'OrganizationUpdated', data }, cause);
    const { position } = await stores.main.append(`organization-${first.id}`, [event], 'any');
    await service.readers.waitFor(['payments'], { appended: new Map([['main', position]]) });
  };
  /** Buys a plan and lets it start. */
  const buy = async (plan_id: string): Promise<string> => {
    const id = await order(plan_id);
    const before = (await subscribed()).length;
    await settle(id);
    await until(PAID_PLANS, async () => (await subscribed()).length > before);
    return id;
  };
  return { service, time, start, until, payments, order, settle, types, subscribed, autoRenew, buy };
};

test('invoices are numbered once, in the order of payments, even if the process is killed after every append', async () => {
  const { service, until, payments, order, types } = await stage();
  try {
    const ids = [await order('team'), await order('large'), await order('yen')];
    const numbered = async (): Promise<boolean> =>
      (await payments()).every(({ invoice_number }) => invoice_number !== null);
    await until(PAYMENT_BEGINNINGS, numbered, { dies: true });
    await until(PAYMENT_BEGINNINGS, numbered);
    assert.is((await types('invoice_sequence-2026')).length, 3);
    const numbers = (await payments()).map(({ invoice_number }) => invoice_number).sort();
    assert.equal(numbers, ['2026-000001', '2026-000002', '2026-000003']);
    for (const id of ids) assert.equal(await types(`payment-${id}`), ['PaymentCreated', 'PaymentInvoiced']);
  } finally {
    await service.stop();
  }
});

test('a subscription starts once, although the process was killed before it received the response to the append', async () => {
  const { service, until, order, settle, start, subscribed } = await stage();
  try {
    const id = await order('team');
    await settle(id);
    await until(PAID_PLANS, async () => (await subscribed()).length > 0, { dies: true });
    const again = start(PAID_PLANS);
    await shortPause();
    await again();
    assert.equal(await subscribed(), ['SubscriptionStarted']);
  } finally {
    await service.stop();
  }
});

test('a subscription that is bought again is extended, and buying another plan changes the plan', async () => {
  const { service, buy, subscribed } = await stage();
  try {
    for (const plan of ['team', 'team', 'large']) await buy(plan);
    assert.equal(await subscribed(), [
      'SubscriptionStarted',
      'SubscriptionExtended',
      'SubscriptionEnded',
      'SubscriptionStarted',
    ]);
    const path = `/v1/organizations/${service.first.id}/subscriptions`;
    const listed = (await service.request('GET', path, { key: service.first.keys.billing })).json() as {
      plan: { id: string };
    }[];
    assert.equal(listed.map(({ plan }) => plan.id).sort(), ['large', 'team']);
  } finally {
    await service.stop();
  }
});

test('an expired subscription ends, and a payment settled later starts a subscription although its plan no longer exists', async () => {
  const { service, time, until, order, settle, buy, subscribed } = await stage();
  try {
    await buy('team');
    const later = await order('team');
    time.now += 40 * DAY_MS;
    await until(SUBSCRIPTION_ENDS, async () => (await subscribed()).includes('SubscriptionEnded'));
    await settle(later);
    const gone = plansOf([FREE], 'free');
    await until(PAID_PLANS, async () => (await subscribed()).length === 3, { plans: gone });
    assert.equal(await subscribed(), ['SubscriptionStarted', 'SubscriptionEnded', 'SubscriptionStarted']);
  } finally {
    await service.stop();
  }
});

test('the next payment is ordered once, a week before the end of the subscription, even after days of downtime', async () => {
  const { service, time, until, start, buy, autoRenew, payments } = await stage();
  try {
    await autoRenew();
    await buy('team');
    time.now += 22 * DAY_MS;
    const early = start(SUBSCRIPTION_RENEWALS);
    await shortPause();
    await early();
    assert.is((await payments()).length, 1);
    time.now += 10 * DAY_MS;
    await until(SUBSCRIPTION_RENEWALS, async () => (await payments()).length === 2);
    const again = start(SUBSCRIPTION_RENEWALS);
    await shortPause();
    await again();
    assert.equal(
      (await payments()).map(({ status }) => status),
      ['pending', 'succeeded'],
    );
  } finally {
    await service.stop();
  }
});

for (const append of [1, 2]) {
  for (const stored of [false, true]) {
    const when = `${stored ? 'after' : 'before'} append ${append} of each process was stored`;
    test(`a renewal is ordered, numbered and announced once, although processes are killed ${when}`, async () => {
      const { service, time, until, start, buy, autoRenew, payments, types } = await stage();
      try {
        await autoRenew();
        await buy('team');
        await until(PAYMENT_BEGINNINGS, async () => (await payments())[0]?.invoice_number !== null);
        time.now += 24 * DAY_MS;
        for (const name of [SUBSCRIPTION_RENEWALS, PAYMENT_BEGINNINGS]) {
          const death: KillPoint = { append, stored };
          await until(name, async () => death.happened === true, { dies: death });
          await until(name, async () => {
            const [renewal, ...others] = await payments();
            return others.length === 1 && (name === SUBSCRIPTION_RENEWALS || renewal?.invoice_number !== null);
          });
          const again = start(name);
          await shortPause();
          await again();
        }
        const [renewal, first, ...others] = await payments();
        assert.equal(others, []);
        assert.equal([first?.invoice_number, renewal?.invoice_number], ['2026-000001', '2026-000002']);
        assert.equal(await types(`payment-${renewal?.id ?? ''}`), ['PaymentCreated', 'PaymentInvoiced']);
        assert.is((await types('invoice_sequence-2026')).length, 2);
        const { payment_notices } = service.readers.for({ appended: new Map() })(paymentModels);
        assert.equal((await payment_notices.find({})).map(({ id }) => id).sort(), [first?.id, renewal?.id].sort());
      } finally {
        await service.stop();
      }
    });
  }
}

test('no renewal is ordered for a subscription that is followed by a paid plan, and the following plan is listed', async () => {
  const { service, time, start, until, payments, buy, order, settle, subscribed, autoRenew } = await stage();
  try {
    await buy('team');
    await autoRenew();
    const yen = await order('yen');
    await settle(yen);
    const { first, request } = service;
    interface Shown {
      plan: { id: string };
      start_date: string;
      end_date: string;
    }
    const listed = async (): Promise<Shown[]> =>
      (
        await request('GET', `/v1/organizations/${first.id}/subscriptions`, { key: first.keys.admin })
      ).json() as Shown[];
    const [next, current] = await listed();
    assert.equal([next?.plan.id, current?.plan.id], ['yen', 'team']);
    assert.is(next?.start_date, current?.end_date);
    assert.is(Date.parse(`${next?.end_date ?? ''}Z`) - Date.parse(`${next?.start_date ?? ''}Z`), 365 * DAY_MS);
    const stop = start(SUBSCRIPTION_RENEWALS);
    time.now = Date.parse(`${current?.end_date ?? ''}Z`) - DAY_MS;
    for (let round = 0; round < 20; round++) await shortPause();
    await stop();
    assert.is((await payments()).length, 2);
    time.now += DAY_MS + MINUTE_MS;
    await until(SUBSCRIPTION_ENDS, async () => (await subscribed()).includes('SubscriptionEnded'));
    await until(
      PAID_PLANS,
      async () => (await subscribed()).filter((type) => type === 'SubscriptionStarted').length === 2,
    );
    await eventually(async () => (await listed()).length === 2);
    assert.is((await payments()).length, 2);
    time.now += 360 * DAY_MS;
    await until(SUBSCRIPTION_RENEWALS, async () => (await payments()).length === 3);
  } finally {
    await service.stop();
  }
});

test('the renewal of a plan that no longer exists fails permanently, and this is announced once', async () => {
  const { service, time, until, buy, autoRenew, payments, subscribed } = await stage();
  try {
    await autoRenew();
    await buy('team');
    time.now += 24 * DAY_MS;
    const plans = plansOf([FREE, { ...TEAM, id: 'other' }], 'free');
    await until(SUBSCRIPTION_RENEWALS, async () => (await subscribed()).includes('SubscriptionNotRenewed'), { plans });
    assert.equal(await subscribed(), ['SubscriptionStarted', 'SubscriptionNotRenewed']);
    assert.is((await payments()).length, 1);
  } finally {
    await service.stop();
  }
});

test.run();
