import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CreditLimitExceeded } from '../../../domain/credits/credits.ts';
import { NO_LIMITS, plansOf, SELF_HOSTED } from '../../../domain/organization/plans.ts';
import { derivedUuid } from '../../../domain/identity.ts';
import { instantOf } from '../../../domain/time.ts';
import { createCreditsTally } from '../../../runners/scheduler/credits.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { fakeClock, settled } from '../../network/fake-clock.ts';

const test = suite('the tally of credits');

const START = Date.UTC(2026, 10, 20, 15);
const ACME = 'org000000001';

/** Returns the limits that operators have set. */
const entitledTo = (limits: Record<string, number>) =>
  new Map(Object.entries(limits).map(([id, creditLimit]) => [id, { subscription: null, creditLimit }]));

const metadataAt = (now: number) => ({
  $correlationId: 'c',
  $causationId: 'c',
  command_id: 'c',
  actor: { kind: 'system' as const, id: 'cli', role: null },
  organization_id: ACME,
  recorded_at: instantOf(now),
  schema_version: 1,
});

/** Creates a credit tally, with limits and usage as in the read models. */
const stage = async (
  limits: Record<string, number> = {},
  start = START,
  before: Record<string, number> = {},
  plans = SELF_HOSTED,
) => {
  const clock = fakeClock(start);
  const log = createMemoryEventStore('main');
  /** usage in credits, by organization and month */
  const used = new Map(Object.entries(before));
  const faults = { limits: false, used: false };
  const troubles: unknown[] = [];
  const requested: string[] = [];
  let runs = 0;
  const credits = createCreditsTally({
    source: {
      entitled: async () => {
        if (faults.limits) throw new Error('The read model is being built.');
        return { position: 0n, organizations: entitledTo(limits) };
      },
      used: async (organization, at) => {
        requested.push(organization);
        if (faults.used) throw new Error('The read model is being built.');
        return used.get(`${organization} ${at.slice(0, 7)}`) ?? 0;
      },
    },
    plans,
    log,
    clock,
    trouble: (error) => troubles.push(error),
  });
  await settled();

  return {
    clock,
    credits,
    faults,
    troubles,
    asked: requested,
    /** Sets the usage in the read model of results. */
    uses: (credits: number, month = '2026-11', organization = ACME) => used.set(`${organization} ${month}`, credits),
    /** Starts a run. @returns its id */
    run: (regions: readonly string[] = ['ru-central1'], each = 1, organization = ACME): string => {
      const run_id = `run ${runs++}`;
      credits.charge({ run_id, organization_id: organization, regions, each, until: clock.now() + 90_000 });
      return run_id;
    },
    changePlan: async (type: string, data: object): Promise<void> => {
      const event = {
        id: randomUUID(),
        type,
        data: { organization_id: ACME, ...data },
        metadata: metadataAt(clock.now()),
      };
      await log.append(`organization-${ACME}`, [event], 'any');
      await settled();
    },
    limit: async (to: number | null, from: number | null = null): Promise<void> => {
      const metadata = metadataAt(clock.now());
      const data = { organization_id: ACME, changes: { credit_limit: to }, previous: { credit_limit: from } };
      const id = derivedUuid(`${String(from)} ${String(to)}`);
      await log.append(`organization-${ACME}`, [{ id, type: 'OrganizationCreditLimitChanged', data, metadata }], 'any');
      await settled();
    },
  };
};

const refused = (run: () => unknown): void => {
  assert.throws(run, (error: unknown) => error instanceof CreditLimitExceeded);
};

test('the credit tally allows all runs of an organization without a limit, and reads nothing', async () => {
  const { credits, run, asked, clock } = await stage();
  for (let i = 0; i < 1_000; i++) run(['ru-central1', 'eu-west1'], 10);
  assert.ok(credits.canPay(ACME, 1_000_000));
  await clock.advance(60_000);
  assert.equal(asked, []);
  await credits.stop();
});

test('the credit tally starts no more runs than the credits cover, no matter how much the read model lags', async () => {
  const { credits, run } = await stage({ [ACME]: 5 });
  for (let i = 0; i < 5; i++) run();
  refused(run);
  assert.not.ok(credits.canPay(ACME, 1));
  await credits.stop();
});

test('the credit tally starts with this month’s usage according to the log, so that a restart makes no difference', async () => {
  const { credits, run } = await stage({ [ACME]: 5 }, START, { [`${ACME} 2026-11`]: 3, [`${ACME} 2026-10`]: 9 });
  await credits.tried;
  assert.ok(credits.canPay(ACME, 2));
  assert.not.ok(credits.canPay(ACME, 3));
  run();
  run();
  refused(run);
  await credits.stop();
});

test('the credit tally counts a run only once when it is stored and then read from the log', async () => {
  const { credits, run, uses, clock } = await stage({ [ACME]: 3 });
  credits.settle(run(), 'ru-central1', 'stored');
  credits.settle(run(), 'ru-central1', 'stored');
  uses(2);
  await clock.advance(10_000);
  run();
  refused(run);
  await credits.stop();
});

test('the credit tally charges nothing for a run without a result, and releases the credits of the run once even if the run is settled twice', async () => {
  const { credits, run } = await stage({ [ACME]: 2 });
  const first = run();
  run();
  refused(run);
  credits.settle(first, 'ru-central1', 'none');
  credits.settle(first, 'ru-central1', 'none');
  run();
  refused(run);
  await credits.stop();
});

test('the credit tally charges a run once, even if the run is started again while it is in progress', async () => {
  const { credits } = await stage({ [ACME]: 2 });
  const again = { run_id: 'run', organization_id: ACME, regions: ['ru-central1'], each: 2, until: START + 90_000 };
  credits.charge(again);
  credits.charge(again);
  await credits.stop();
});

test('the credit tally covers a multi-region run either completely or not at all', async () => {
  const { credits, run } = await stage({ [ACME]: 5 });
  run(['ru-central1', 'eu-west1'], 2);
  refused(() => run(['ru-central1', 'eu-west1'], 1));
  run();
  await credits.stop();
});

test('the credit tally releases the credits of unreported runs', async () => {
  const { credits, run, clock } = await stage({ [ACME]: 1 });
  run();
  await clock.advance(90_000);
  refused(run);
  await clock.advance(10_000);
  run();
  await credits.stop();
});

test('the credit tally includes the credits that other processes have spent', async () => {
  const { credits, run, uses, clock } = await stage({ [ACME]: 10 });
  run();
  uses(9);
  await clock.advance(10_000);
  run();
  refused(run);
  await credits.stop();
});

test('the credit tally starts again at zero each month, except for runs in progress', async () => {
  const { credits, run, uses, clock } = await stage({ [ACME]: 2 }, Date.UTC(2026, 10, 30, 23, 59, 30));
  uses(1);
  await clock.advance(10_000);
  const last = run();
  refused(run);
  await clock.advance(30_000);
  run();
  refused(run);
  credits.settle(last, 'ru-central1', 'none');
  run();
  refused(run);
  await credits.stop();
});

test('the credit tally applies a limit that is set, raised, lowered and removed', async () => {
  const { credits, run, uses, limit } = await stage();
  uses(7);
  await limit(8);
  run();
  refused(run);
  await limit(9, 8);
  run();
  refused(run);
  await limit(3, 9);
  assert.not.ok(credits.canPay(ACME, 0));
  await limit(null, 3);
  run(['ru-central1'], 1_000);
  await credits.stop();
});

test('the credit tally uses the limit of the plan if the operator has set none, and a new plan takes effect with its event', async () => {
  const planWith = (credits: number | null) => ({
    id: 'plan',
    name: 'Plan',
    description: null,
    price: { amount: 0, currency: 'EUR' },
    duration: 30,
    limits: { ...NO_LIMITS, credits },
  });
  const { credits, run, limit, changePlan } = await stage({}, START, {}, plansOf([planWith(2)], 'plan'));
  await changePlan('OrganizationCreated', { name: 'Acme' });
  run();
  run();
  refused(run);
  await limit(3);
  run();
  refused(run);
  await limit(null, 3);
  refused(run);
  await changePlan('SubscriptionStarted', { plan: planWith(4) });
  run();
  refused(run);
  await changePlan('SubscriptionEnded', {});
  refused(run);
  await changePlan('SubscriptionStarted', { plan: planWith(null) });
  run();
  await credits.stop();
});

test('one organization does not delay the credit tally of another organization', async () => {
  const { credits, run } = await stage({ [ACME]: 0, org000000002: 1 });
  refused(run);
  run(['ru-central1'], 1, 'org000000002');
  run(['ru-central1'], 1, 'org000000003');
  await credits.stop();
});

test('the credit tally retries while limits or usage can’t be read', async () => {
  const clock = fakeClock(START);
  const faults = { limits: 2 };
  const troubles: unknown[] = [];
  const credits = createCreditsTally({
    source: {
      entitled: async () => {
        if (faults.limits-- > 0) throw new Error('The read model is being built.');
        return { position: 0n, organizations: entitledTo({ [ACME]: 0 }) };
      },
      used: async () => {
        throw new Error('The read model is being built.');
      },
    },
    plans: SELF_HOSTED,
    log: createMemoryEventStore('main'),
    clock,
    trouble: (error) => troubles.push(error),
  });
  await settled();
  await clock.advance(1_000);
  assert.ok(credits.canPay(ACME, 1));
  await credits.tried;
  await clock.advance(1_000);
  assert.not.ok(credits.canPay(ACME, 1));
  await clock.advance(2_000);
  assert.is(troubles.length, 5, 'two of the limits, three of the usage');
  await credits.stop();
  assert.is(clock.pending(), 0);
});

test.run();
