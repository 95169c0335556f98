import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../commands/engine/handle.ts';
import { changeCreditLimit, createOrganization } from '../../commands/organizations/organizations.ts';
import { SELF_HOSTED } from '../../domain/organization/plans.ts';
import { reportLimit, type CreditDayItem } from '../../reactors/credit-limits.ts';
import { paceWork } from '../../reactors/engine/paced-work.ts';
import type { Work } from '../../reactors/engine/work.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { createReactorHarness } from './reactor-harness.ts';
import { aContext } from '../commands/simulated-processes.ts';

const test = suite('the credit-limits reactor');
const ACME = 'org000000001';

const item = (fields: Partial<CreditDayItem> = {}): CreditDayItem => ({
  id: `${ACME} 2026-11-20`,
  organization_id: ACME,
  day: '2026-11-20T00:00:00.000000',
  changed_position: 10,
  ...fields,
});

const staged = async (limit: number | null) => {
  const store = createMemoryEventStore('main');
  const time = { now: Date.UTC(2026, 10, 20, 15) };
  const used = { credits: 0 };
  const handle = createHandle({ store, clock: () => time.now });
  const context = () => aContext({ organizationId: ACME });
  const change = async (to: number | null): Promise<void> => {
    const usage = { period_start: '2026-11-01T00:00:00.000000', used: used.credits };
    await changeCreditLimit({ handle, plans: SELF_HOSTED })({ limit: to, usage }, context());
  };
  await createOrganization({ handle })({ name: 'Acme' }, context());
  await change(limit);
  const fresh = () =>
    reportLimit({
      handle: createHandle({ store, clock: () => time.now }),
      plans: SELF_HOSTED,
      clock: () => time.now,
      used: async () => used.credits,
    });
  const reported = async () =>
    (await store.readStream(`organization-${ACME}`)).filter(({ type }) => type === 'CreditLimitReached');
  return { store, time, used, change, tell: fresh(), fresh, reported };
};

test('a reached credit limit is reported once, with the reactor as actor, even after a restart', async () => {
  const { tell, fresh, reported, used } = await staged(100);
  used.credits = 99;
  await tell(item());
  assert.equal(await reported(), []);
  used.credits = 101;
  await tell(item({ changed_position: 20 }));
  await tell(item({ changed_position: 20 }));
  await fresh()(item({ changed_position: 30 }));
  const [reached, ...more] = await reported();
  assert.equal(more, []);
  assert.equal(reached?.data, {
    organization_id: ACME,
    period_start: '2026-11-01T00:00:00.000000',
    credit_limit: 100,
    used: 101,
  });
  assert.equal(reached?.metadata.actor, { kind: 'system', id: 'credit-limits', role: null });
});

test('a credit limit is reported again after it was raised, and in another month', async () => {
  const { tell, reported, used, change, time } = await staged(100);
  used.credits = 100;
  await tell(item());
  await change(150);
  await tell(item({ changed_position: 20 }));
  assert.is((await reported()).length, 1);
  used.credits = 150;
  await tell(item({ changed_position: 30 }));
  assert.is((await reported()).length, 2);
  time.now = Date.UTC(2026, 11, 20, 15);
  await tell(item({ id: `${ACME} 2026-12-20`, day: '2026-12-20T00:00:00.000000', changed_position: 40 }));
  assert.is((await reported()).length, 3);
});

test('a credit limit set below the present usage is reached immediately', async () => {
  const { reported, used, change } = await staged(null);
  used.credits = 7;
  await change(7);
  assert.is((await reported()).length, 1);
});

test('no reached credit limit is reported without a limit, for a past month, or for a missing organization', async () => {
  const { tell, reported, used, change, time } = await staged(null);
  used.credits = 1_000;
  await tell(item());
  used.credits = 0;
  await change(100);
  used.credits = 1_000;
  time.now = Date.UTC(2026, 11, 1);
  await tell(item());
  await tell(item({ organization_id: 'org000000009', day: '2026-12-01T00:00:00.000000' }));
  assert.equal(await reported(), []);
});

test('a constantly changing list of usage is read only at intervals', async () => {
  const rounds: number[] = [];
  const work: Work = paceWork(
    {
      begin: async () => undefined,
      written: () => undefined,
      round: async (now) => {
        rounds.push(now);
        return { next: null, checkpoint: { activated: 0, handled: rounds.length } };
      },
      idle: async () => ({ activated: 0, handled: rounds.length }),
    },
    2_000,
  );
  await work.begin(createReactorHarness().shift());
  const round = async (now: number) => {
    const { next, checkpoint } = await work.round(now);
    return { next, handled: checkpoint.handled };
  };
  assert.equal(await round(10_000), { next: null, handled: 1 });
  assert.equal(await round(10_500), { next: 12_000, handled: 1 });
  assert.equal(await round(12_000), { next: null, handled: 2 });
  assert.equal(await round(1_000), { next: null, handled: 3 });
  assert.equal(rounds, [10_000, 12_000, 1_000]);
});

test.run();
