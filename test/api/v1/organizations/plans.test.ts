import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MASKED_TEXT } from '../../../../domain/masking.ts';
import { NO_LIMITS, plansOf } from '../../../../domain/organization/plans.ts';
import { organizationDecider } from '../../../../domain/organization/state.ts';
import type { Plan, PlanLimits } from '../../../../domain/organization/subscription-events.ts';
import { createHandle } from '../../../../commands/engine/handle.ts';
import { aContext } from '../../../commands/simulated-processes.ts';
import { startService } from '../../service.ts';

const planOf = (id: string, limits: Partial<PlanLimits>): Plan => ({
  id,
  name: `The ${id} plan`,
  description: null,
  price: { amount: 499_000, currency: 'EUR' },
  duration: 30,
  limits: { ...NO_LIMITS, ...limits },
});
const SMALL = planOf('small', { checks: 3, pages: 1, users: 2, credits: 100, shortest_interval: 60 });
const LARGE = planOf('large', { checks: 5 });

const test = suite('organizations and their plans');
const service = await startService({ plans: plansOf([SMALL, LARGE], 'small') });
const { first, second, request } = service;
test.after(() => service.stop());

const path = `/v1/organizations/${first.id}`;
const check = (name: string, more: object = {}) => ({
  name,
  type: 'web',
  url: 'https://shop.example/',
  interval: 60,
  ...more,
});
interface Refused {
  code: number;
  message: string;
  errors: { json?: Record<string, string[]> };
}

test('plans are listed with prices as strings', async () => {
  const plans = (await request('GET', '/v1/plans', { key: first.keys.viewer })).json();
  assert.equal(
    plans,
    [SMALL, LARGE].map((plan) => ({ ...plan, price: { value: '4990.00', currency: 'EUR' } })),
  );
});

test('eight concurrent creations of checks succeed only up to the limit of the plan, and a deletion makes room for one more', async () => {
  const key = second.keys.editor;
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, n) => request('POST', '/v1/checks', { key, body: check(`Check ${n}`) })),
  );
  const [refused] = replies.filter(({ status }) => status === 403).map((reply) => reply.json() as Refused);
  assert.equal(replies.map(({ status }) => status).sort(), [201, 201, 201, 403, 403, 403, 403, 403]);
  assert.is(refused?.message, 'The plan "The small plan" allows 3 checks, and the organization already has that many.');
  const created = replies.find(({ status }) => status === 201)?.json() as { id: string };
  assert.is((await request('DELETE', `/v1/checks/${created.id}`, { key })).status, 204);
  assert.is((await request('POST', '/v1/checks', { key, body: check('Another') })).status, 201);
  assert.is((await request('POST', '/v1/checks', { key, body: check('Surplus') })).status, 403);
  assert.is((await request('POST', '/v1/pages', { key, body: { name: 'Page' } })).status, 200);
  assert.is((await request('POST', '/v1/pages', { key, body: { name: 'Page' } })).status, 403);
  const position = (await service.stores.main.readAll({ after: 0n, limit: 1_000 })).at(-1)?.position ?? 0n;
  await service.readers.waitFor(['usage'], { appended: new Map([['main', position]]) });
  const { plan, checks, pages, users, credits } = (await request('GET', '/v1/usage', { key })).json() as Record<
    string,
    unknown
  >;
  assert.equal(
    { plan, checks, pages, users, credits },
    {
      plan: { id: 'small', name: 'The small plan' },
      checks: { used: 3, limit: 3 },
      pages: { used: 1, limit: 1 },
      users: { used: 0, limit: 2 },
      credits: { used: 0, limit: 100 },
    },
  );
});

test('requests with an invalid body or without the necessary role are refused before the limits of the plan are checked', async () => {
  const body = check('Wrong', { interval: 5 });
  assert.is((await request('POST', '/v1/checks', { key: second.keys.editor, body })).status, 422);
  assert.is((await request('POST', '/v1/checks', { key: second.keys.viewer, body })).status, 403);
  const often = check('Often', { interval: 30 });
  const refused = (await request('POST', '/v1/checks', { key: first.keys.editor, body: often })).json() as Refused;
  assert.is(refused.message, 'The plan "The small plan" allows intervals of 60 seconds or more.');
});

test('a repeated request counts once towards the limit of the plan', async () => {
  const headers = { 'Idempotency-Key': 'one-and-the-same' };
  const key = first.keys.editor;
  for (let n = 0; n < 3; n++) {
    assert.is((await request('POST', '/v1/checks', { key, headers, body: check('Same') })).status, 201);
  }
  for (let n = 0; n < 2; n++)
    assert.is((await request('POST', '/v1/checks', { key, body: check('More') })).status, 201);
  assert.is((await request('POST', '/v1/checks', { key, body: check('Surplus') })).status, 403);
});

test('a bought plan keeps the terms of its purchase', async () => {
  const handle = createHandle({ store: service.stores.main, clock: () => service.time.now });
  const context = aContext({ organizationId: first.id });
  const plan = { ...LARGE, limits: { ...NO_LIMITS, checks: 4 } };
  const data = { organization_id: first.id, subscription_id: 'subscription', plan, payment_id: null };
  const [start_date, end_date] = ['2026-11-20T15:00:00.000000', '2026-12-20T15:00:00.000000'];
  await handle(
    first.id,
    organizationDecider,
    () => ({ type: 'SubscriptionStarted', data: { ...data, start_date, end_date } }) as const,
    context,
  );
  await service.readers.waitFor(['organizations'], context);
  const key = first.keys.admin;
  assert.is((await request('POST', '/v1/checks', { key, body: check('Fourth', { interval: 30 }) })).status, 201);
  assert.is((await request('POST', '/v1/checks', { key, body: check('Fifth') })).status, 403);
  const seen = (await request('GET', path, { key: first.keys.billing })).json() as { current_subscription: unknown };
  assert.equal(seen.current_subscription, {
    id: 'subscription',
    plan: { ...plan, price: { value: '4990.00', currency: 'EUR' } },
    start_date,
    end_date,
    created_at: (seen.current_subscription as { created_at: string }).created_at,
  });
  const unseen = (await request('GET', path, { key: first.keys.editor })).json() as { current_subscription: unknown };
  assert.is(unseen.current_subscription, null);
});

test('each role changes its own fields of an organization, and only billing and admins see billing data', async () => {
  const details = { legal_name: 'First Ltd', tax_id: null, address: '1 Road', email: 'bills@first.example' };
  const asBilling = (body: object) => request('PATCH', path, { key: first.keys.billing, body });
  const changed = await asBilling({ name: 'first', auto_renew: true, invoice_details: details, id: 'x', credits: {} });
  assert.is(changed.status, 200);
  const shown = changed.json() as Record<string, unknown>;
  assert.equal([shown['id'], shown['name'], shown['auto_renew']], [first.id, 'first', true]);
  assert.equal(shown['invoice_details'], details);
  const refused = (await asBilling({ name: 'Renamed', auto_renew: false })).json() as Refused;
  assert.equal([refused.code, refused.message], [403, 'Changing "name" needs the role admin.']);
  for (const role of ['viewer', 'editor'] as const) {
    assert.is((await request('PUT', path, { key: first.keys[role], body: {} })).status, 403);
    const seen = (await request('GET', path, { key: first.keys[role] })).json() as typeof shown;
    assert.equal(seen['invoice_details'], {
      legal_name: MASKED_TEXT,
      tax_id: null,
      address: MASKED_TEXT,
      email: MASKED_TEXT,
    });
  }
  const replaced = await request('PUT', path, {
    key: first.keys.admin,
    body: { name: 'Renamed', invoice_details: { legal_name: 'Other' } },
  });
  const after = replaced.json() as typeof shown;
  assert.is(after['name'], 'Renamed');
  assert.is(after['auto_renew'], true);
  assert.equal(after['invoice_details'], { legal_name: 'Other', tax_id: null, address: null, email: null });
});

test('masked invoice details stay unchanged when they are sent back', async () => {
  const key = first.keys.admin;
  const details = { legal_name: 'Other Ltd', tax_id: null, address: null, email: 'bills@other.example' };
  assert.is((await request('PATCH', path, { key, body: { invoice_details: details } })).status, 200);
  const changed = await request('PATCH', path, {
    key,
    body: { invoice_details: { legal_name: MASKED_TEXT, tax_id: '7' } },
  });
  assert.equal((changed.json() as { invoice_details: object }).invoice_details, {
    ...details,
    tax_id: '7',
    email: null,
  });
  const refused = await request('PATCH', path, {
    key,
    body: { invoice_details: { address: MASKED_TEXT, email: MASKED_TEXT } },
  });
  assert.equal((refused.json() as Refused).errors.json, {
    'invoice_details.address': ['No stored text matches ********. Send the whole text.'],
    'invoice_details.email': ['No stored text matches ********. Send the whole text.'],
  });
});

test('the error for an organization names every invalid field, and sending an organization back unchanged changes nothing', async () => {
  const email = { email: 'nobody', tax_id: '1'.repeat(51), legal_name: ' ' };
  const reply = await request('PATCH', path, {
    key: first.keys.admin,
    body: { name: '', auto_renew: null, invoice_details: email },
  });
  assert.is(reply.status, 422);
  assert.equal(Object.keys((reply.json() as Refused).errors.json ?? {}).sort(), [
    'auto_renew',
    'invoice_details.email',
    'invoice_details.legal_name',
    'invoice_details.tax_id',
    'name',
  ]);
  const before = (await service.stores.main.readStream(`organization-${first.id}`)).length;
  const shown = (await request('GET', path, { key: first.keys.admin })).json() as object;
  assert.is((await request('PUT', path, { key: first.keys.admin, body: shown })).status, 200);
  assert.is((await service.stores.main.readStream(`organization-${first.id}`)).length, before);
});

test('an organization is not found by callers of another organization', async () => {
  for (const method of ['GET', 'PUT', 'PATCH'] as const) {
    assert.is((await request(method, path, { key: second.keys.admin, body: { name: 'Mine' } })).status, 404);
  }
});

test.run();
