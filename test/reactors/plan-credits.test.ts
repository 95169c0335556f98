import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../commands/engine/handle.ts';
import { createOrganization } from '../../commands/organizations/organizations.ts';
import { NO_LIMITS, SELF_HOSTED } from '../../domain/organization/plans.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import { reportNewLimit } from '../../reactors/plan-credits.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { aContext } from '../commands/simulated-processes.ts';
import { subscribed } from '../domain/organization/examples.ts';

const ACME = 'org000000001';
const NOW = Date.UTC(2026, 10, 20, 15);

const subscribedTo = (credits: number) => ({
  type: 'SubscriptionStarted' as const,
  data: {
    ...subscribed.data,
    organization_id: ACME,
    plan: { ...subscribed.data.plan, limits: { ...NO_LIMITS, credits } },
  },
});

test('after a change to a plan whose credit limit is below this month’s usage, the limit is reported as reached once', async () => {
  const store = createMemoryEventStore('main');
  const handle = createHandle({ store, clock: () => NOW });
  const context = () => aContext({ organizationId: ACME });
  await createOrganization({ handle })({ name: 'Acme' }, context());
  const dependencies = { plans: SELF_HOSTED, clock: () => NOW, used: async () => 150 };
  const reported = async () =>
    (await store.readStream(`organization-${ACME}`))
      .filter(({ type }) => type === 'CreditLimitReached')
      .map(({ data }) => data);
  const tell = (changed_position: number) =>
    reportNewLimit({ ...dependencies, handle: createHandle({ store, clock: () => NOW }) })({
      id: ACME,
      changed_position,
    });

  await tell(1);
  assert.equal(await reported(), []);
  for (const [credits, times] of [
    [200, 0],
    [100, 1],
    [150, 2],
  ] as const) {
    await handle(ACME, organizationDecider, () => subscribedTo(credits), context());
    await tell(credits);
    await tell(credits);
    assert.is((await reported()).length, times);
  }
  assert.equal(await reported(), [
    { organization_id: ACME, period_start: '2026-11-01T00:00:00.000000', credit_limit: 100, used: 150 },
    { organization_id: ACME, period_start: '2026-11-01T00:00:00.000000', credit_limit: 150, used: 150 },
  ]);
});

test.run();
