import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { INVOICE, invoiceProvider } from '../../../../commands/payments/invoices.ts';
import { createHandle } from '../../../../commands/engine/handle.ts';
import { reactorContext } from '../../../../commands/engine/context.ts';
import { derivedUuid } from '../../../../domain/identity.ts';
import { existing, paymentDecider } from '../../../../domain/payment/state.ts';
import { instantOf } from '../../../../domain/time.ts';
import { PLANS, SELLER } from '../../../payments.ts';
import { request as fetchFile } from '../../http.ts';
import { storePayment } from '../../payments.ts';
import { startService } from '../../service.ts';

const test = suite('/v1/payments');
const service = await startService({ now: Date.parse('2026-11-20T15:00:00Z'), plans: PLANS });
const { request, first, second } = service;
test.after(() => service.stop());

interface Payment {
  id: string;
  status: string;
  amount: { value: string; currency: string };
  plan_id: string;
  period_months: number | null;
  confirmation_url: string | null;
  invoice_number: string | null;
  canceled_at: string | null;
}

const key = first.keys.billing;
const order = (body: object, as = key) => request('POST', '/v1/payments', { key: as, body });

/** Prepares a new payment as the reactor does. */
const begin = async (id: string): Promise<void> => {
  const handle = createHandle({ store: service.stores.main, clock: () => service.time.now });
  const commandId = derivedUuid(id);
  const now = instantOf(service.time.now);
  const context = reactorContext('test', { organizationId: first.id, commandId, now, appended: new Map() });
  await invoiceProvider({ handle }, SELLER).begin(existing(await handle.load(id, paymentDecider, context)), context);
  await service.readers.waitFor(['payments'], context);
};

test('a plan is ordered at its current price', async () => {
  const reply = await order({ plan_id: 'team', period_months: 3 });
  assert.is(reply.status, 201, reply.text);
  const payment = reply.json() as Payment;
  assert.is(reply.headers.location, `/v1/payments/${payment.id}`);
  assert.equal(payment, {
    id: payment.id,
    organization_id: first.id,
    status: 'pending',
    amount: { value: '149.70', currency: 'EUR' },
    description: 'Team, 90 days',
    plan_id: 'team',
    period_months: 3,
    method: INVOICE,
    confirmation_url: null,
    invoice_number: null,
    paid_at: null,
    canceled_at: null,
    created_at: '2026-11-20T15:00:00.000000',
  });
  assert.equal((await request('GET', `/v1/payments/${payment.id}`, { key })).json(), payment);
  const pagination = { page: 1, per_page: 20, pages: 1, total: 1, has_next: false, has_prev: false };
  assert.equal((await request('GET', '/v1/payments', { key })).json(), { payments: [payment], pagination });
  const yen = (await order({ plan_id: 'yen' })).json() as Payment;
  assert.equal([yen.amount, yen.period_months], [{ value: '5000', currency: 'JPY' }, 12]);
});

test('a second order of a plan is refused while the first is pending', async () => {
  const reply = await order({ plan_id: 'team' });
  assert.is(reply.status, 409);
  assert.match(reply.text, /is pending\. Pay or cancel it first\./);
});

test('an order needs an Idempotency-Key and is placed once for each key', async () => {
  const body = { plan_id: 'large' };
  const without = await request('POST', '/v1/payments', { key, body, headers: {} });
  assert.is(without.status, 400);
  assert.match(without.text, /Idempotency-Key/);
  const headers = { 'idempotency-key': 'one order' };
  const [one, again] = [
    await request('POST', '/v1/payments', { key, body, headers }),
    await request('POST', '/v1/payments', { key, body, headers }),
  ];
  assert.equal([one.status, again.status], [201, 201]);
  assert.equal(one.json(), again.json());
});

test('unknown plans and periods that no price covers are refused', async () => {
  for (const body of [
    { plan_id: 'free' },
    { plan_id: 'gift' },
    { plan_id: 'nothing' },
    { plan_id: 'week', period_months: 1 },
    { plan_id: 'week', period_months: 0 },
    {},
  ]) {
    assert.is((await order(body)).status, 422, JSON.stringify(body));
  }
});

test('only admins and billing users see payments, and only those of their organization', async () => {
  for (const role of ['viewer', 'editor'] as const) {
    assert.is((await request('GET', '/v1/payments', { key: first.keys[role] })).status, 403);
    assert.is((await order({ plan_id: 'week' }, first.keys[role])).status, 403);
  }
  const listed = (await request('GET', '/v1/payments', { key: second.keys.admin })).json() as { payments: Payment[] };
  assert.equal(listed.payments, []);
});

test('an invoice link works without a key for at most half an hour, and later reads show a new link', async () => {
  const id = await storePayment(service, first.id);
  await begin(id);
  const read = async (): Promise<Payment> => (await request('GET', `/v1/payments/${id}`, { key })).json() as Payment;
  const { confirmation_url: url, invoice_number } = await read();
  assert.is(invoice_number, '2026-000001');
  const fetched = (path: string) => fetchFile(service.port, { method: 'GET', path, headers: {} });
  const file = await fetched(url ?? '');
  assert.is(file.status, 200);
  assert.is(file.headers['content-type'], 'application/pdf');
  assert.match(file.text, /^%PDF-/);
  assert.is((await fetched(url ?? '')).text, file.text);
  assert.is((await fetched(`/v1/payments/${id}/invoice`)).status, 403);
  const other = await storePayment(service, first.id);
  assert.is((await fetched((url ?? '').replace(id, other))).status, 404);
  const asked = {
    key,
    headers: { 'if-none-match': (await request('GET', '/v1/payments', { key })).headers.etag ?? '' },
  };
  service.time.now += 60_000;
  assert.is((await request('GET', '/v1/payments', asked)).status, 304);
  service.time.now += 30 * 60_000;
  assert.not.equal((await fetched(url ?? '')).status, 200);
  assert.is((await fetched((await read()).confirmation_url ?? '')).status, 200);
});

test('a pending payment can be canceled', async () => {
  const id = await storePayment(service, first.id);
  const reply = await request('POST', `/v1/payments/${id}/cancel`, { key });
  assert.is(reply.status, 200);
  assert.is((reply.json() as Payment).status, 'canceled');
  const again = await request('POST', `/v1/payments/${id}/cancel`, { key });
  assert.is(again.status, 400);
  assert.match(again.text, /was already canceled/);
  const foreign = await request('POST', `/v1/payments/${id}/cancel`, { key: second.keys.admin });
  assert.is(foreign.status, 404);
  const later = await order({ plan_id: 'week' });
  assert.is(later.status, 201);
  await request('POST', `/v1/payments/${(later.json() as Payment).id}/cancel`, { key });
  assert.is((await order({ plan_id: 'week' })).status, 201);
});

test('payments are listed in pages without duplicates, newest first', async () => {
  const pageOf = async (page: number) => {
    const reply = await request('GET', `/v1/payments?page=${page}&per_page=2`, { key });
    return reply.json() as { payments: (Payment & { created_at: string })[]; pagination: { pages: number } };
  };
  const { pages } = (await pageOf(1)).pagination;
  const all = [];
  for (let page = 1; page <= pages; page++) all.push(...(await pageOf(page)).payments);
  assert.ok(pages > 2);
  assert.is(new Set(all.map(({ id }) => id)).size, all.length);
  const times = all.map(({ created_at }) => created_at);
  assert.equal(times, times.toSorted().reverse());
  assert.equal((await pageOf(pages + 1)).payments, []);
  assert.is((await request('GET', '/v1/payments?per_page=101', { key })).status, 400);
});

test('at most twenty orders are accepted in 24 hours', async () => {
  const as = second.keys.admin;
  for (let n = 0; n < 20; n++) await storePayment(service, second.id);
  service.time.now = Date.parse('2026-11-20T16:00:00Z');
  const reply = await order({ plan_id: 'team' }, as);
  assert.is(reply.status, 403);
  service.time.now = Date.parse('2026-11-21T16:00:00Z');
  assert.is((await order({ plan_id: 'team' }, as)).status, 201);
});

test('an organization lists only its own subscriptions', async () => {
  const path = `/v1/organizations/${first.id}/subscriptions`;
  assert.equal((await request('GET', path, { key })).json(), []);
  assert.is((await request('GET', path, { key: second.keys.admin })).status, 404);
  assert.is((await request('GET', path, { key: first.keys.viewer })).status, 403);
});

test.run();
