import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changeCreditLimit } from '../../../../commands/organizations/organizations.ts';
import { creditPeriodOf } from '../../../../domain/credits/period.ts';
import { derivedId } from '../../../../domain/identity.ts';
import { instantOf } from '../../../../domain/time.ts';
import { aContext } from '../../../commands/simulated-processes.ts';
import { resultOf } from '../../../domain/check-result/examples.ts';
import { startService } from '../../service.ts';
import { eventually } from '../../../waiting.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 4, 5, 123);

const test = suite('organizations and their credits');
const service = await startService({ now: NOW });
const { first, second, request } = service;
test.after(() => service.stop());
test.before.each(async () => {
  service.time.now = NOW;
  await limit(null);
});

let results = 0;
/** Stores a result whose run has cost `credits`. `at`: milliseconds since 1970 */
const spend = async (credits: number, at = NOW, organization_id = first.id): Promise<void> => {
  const result = resultOf(derivedId(`check ${results++}`), at, { credits, organization_id });
  const { position } = await service.stores.results.append('check_results-ru-central1', [result], 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
};

interface Credits {
  limit: number | null;
  used: number;
}

interface Suspended {
  id: string;
  suspended_reason: string | null;
}

interface Shown {
  id: string;
  credits: Credits;
}

const balance = async (): Promise<Credits> =>
  ((await request('GET', `/v1/organizations/${first.id}`)).json() as Shown).credits;

const limit = async (to: number | null): Promise<void> => {
  const usage = { period_start: creditPeriodOf(instantOf(service.time.now)).start, used: (await balance()).used };
  const context = aContext({ organizationId: first.id });
  await service.commands.bind(changeCreditLimit)({ limit: to, usage }, context);
  await service.readers.waitFor(['organizations'], context);
};

const create = async (body: object = {}): Promise<string> => {
  const check = { name: 'Shop', type: 'web', url: 'https://shop.example/', interval: 60, ...body };
  return ((await request('POST', '/v1/checks', { body: check })).json() as { id: string }).id;
};
const reasonOf = async (id: string): Promise<string | null> =>
  ((await request('GET', `/v1/checks/${id}`)).json() as Suspended).suspended_reason;
/** A check that costs two credits per run. */
const SSL = { type: 'ssl', host: 'shop.example' };

test('callers see their own organization with its usage of this month', async () => {
  await spend(10);
  await spend(1, Date.UTC(2026, 10, 1));
  await spend(100, Date.UTC(2026, 9, 31, 23, 59, 59, 999));
  await spend(1_000, NOW, second.id);
  for (const key of Object.values(first.keys)) {
    const [organization, ...others] = (await request('GET', '/v1/organizations', { key })).json() as Shown[];
    assert.equal(others, []);
    assert.equal(organization, {
      id: first.id,
      name: 'first',
      auto_renew: false,
      current_subscription: null,
      credits: {
        limit: null,
        used: 11,
        period_start: '2026-11-01T00:00:00.000000',
        period_end: '2026-12-01T00:00:00.000000',
      },
      invoice_details: { legal_name: null, tax_id: null, address: null, email: null },
      created_at: instantOf(NOW),
      updated_at: instantOf(NOW),
    });
    assert.equal((await request('GET', `/v1/organizations/${first.id}`, { key })).json(), organization);
  }
});

test('other and unknown organizations are not found', async () => {
  for (const id of [second.id, derivedId('nobody')]) {
    assert.is((await request('GET', `/v1/organizations/${id}`)).status, 404);
  }
});

test('the credit limit is shown, and a check shows that it is suspended for lack of credits until there are credits again', async () => {
  const [id, still] = [await create(), await create({ active: false })];
  assert.is(await reasonOf(id), null);
  const { used } = await balance();
  await limit(used + 1);
  assert.is((await balance()).limit, used + 1);
  assert.is(await reasonOf(id), null);
  await spend(1, NOW + 1);
  assert.is(await reasonOf(id), 'Credit limit exceeded');
  assert.is(await reasonOf(still), null);
  const { checks } = (await request('GET', '/v1/checks')).json() as { checks: Suspended[] };
  const reasons = new Map(checks.map((check) => [check.id, check.suspended_reason]));
  assert.is(reasons.get(id), 'Credit limit exceeded');
  assert.is(reasons.get(still), null);
  await limit(used + 2);
  assert.is(await reasonOf(id), null);
});

test('a check that costs more than the remaining credits is suspended, while a cheaper one is not', async () => {
  const [cheap, dear] = [await create(), await create(SSL)];
  await limit((await balance()).used + 1);
  assert.is(await reasonOf(cheap), null);
  assert.is(await reasonOf(dear), 'Credit limit exceeded');
});

test('credits are reset at the start of the next month', async () => {
  const id = await create();
  await limit((await balance()).used);
  assert.is(await reasonOf(id), 'Credit limit exceeded');
  service.time.now = Date.UTC(2026, 11, 1);
  assert.is(await reasonOf(id), null);
  assert.is((await balance()).used, 0);
  assert.is((await request('POST', `/v1/checks/${id}/execute`)).status, 202);
});

test('an on-demand run without enough credits is 403 with the reason', async () => {
  const [cheap, dear] = [await create(), await create(SSL)];
  await limit((await balance()).used + 1);
  // The balance is updated from the log automatically.
  await eventually(() => !service.credits.canPay(first.id, 2));
  assert.is((await request('POST', `/v1/checks/${cheap}/execute`)).status, 202);
  const refused = await request('POST', `/v1/checks/${dear}/execute`);
  assert.is(refused.status, 403);
  assert.is((refused.json() as { message: string }).message, 'Credit limit exceeded');
  const definition = { name: 'Shop', type: 'synthetic', parameters: { pw_script: 'await 1' } };
  const adHoc = await request('POST', '/v1/checks/execute', { body: definition });
  assert.is(adHoc.status, 403);
  assert.is((adHoc.json() as { message: string }).message, 'Credit limit exceeded');
});

test('the audit log contains that the credit limit was reached', async () => {
  const { used } = await balance();
  await limit(used);
  const { audit_logs: entries } = (
    await request('GET', `/v1/audit?resource_id=${first.id}&per_page=100`, { key: first.keys.billing })
  ).json() as { audit_logs: { action: string; changes: Record<string, unknown> }[] };
  const limits = entries.flatMap(({ action, changes }) => (action === 'organization.updated' ? [changes] : []));
  assert.ok(limits.some(({ credit_limit }) => JSON.stringify(credit_limit) === `{"old":null,"new":${used}}`));
  const reached = entries.find(({ action }) => action === 'organization.credit_limit_reached');
  assert.equal(reached?.changes['period_start'], { old: null, new: '2026-11-01T00:00:00.000000' });
});

test.run();
