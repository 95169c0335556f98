import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCheck, deleteCheck, updateCheck } from '../../../commands/checks/checks.ts';
import { createOrganization } from '../../../commands/organizations/organizations.ts';
import { createPage, deletePage } from '../../../commands/pages/pages.ts';
import { NameTaken } from '../../../commands/reservations/reservations.ts';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import { REGIONS, type LiveRunners } from '../../../domain/check/regions.ts';
import { Forbidden } from '../../../domain/errors.ts';
import { NO_LIMITS, plansOf, type Plans } from '../../../domain/organization/plans.ts';
import type { OrganizationEvent } from '../../../domain/organization/events.ts';
import { organizationDecider } from '../../../domain/organization/state.ts';
import type { PlanLimits } from '../../../domain/organization/subscription-events.ts';
import { createHandle } from '../../../commands/engine/handle.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { rejects } from '../../rejects.ts';
import { pagesOf } from '../page-names-of-log.ts';
import {
  aContext,
  withRandomDelays,
  ProcessDied,
  dyingAtAppend,
  delayedBefore,
  randomFrom,
  startProcess,
} from '../simulated-processes.ts';
import { laggingUsageOf } from '../late-usage.ts';

const test = suite('quotas of a plan');

const ORGANIZATION = 'org000000001';
const REGION = REGIONS[0];
if (!REGION) throw new Error('There is no region.');
const RUNNERS: LiveRunners = {
  defaultRegion: REGION,
  abilities: () => Promise.resolve(new Map(REGIONS.map(({ id }) => [id, CHECK_TYPE_NAMES]))),
};

const planOf = (id: string, limits: Partial<PlanLimits>) => ({
  id,
  name: `The ${id} plan`,
  description: null,
  price: { amount: 0, currency: 'EUR' },
  duration: 30,
  limits: { ...NO_LIMITS, ...limits },
});
const limitedTo = (limits: Partial<PlanLimits>): Plans => plansOf([planOf('small', limits)], 'small');

const opened = async (): Promise<EventStore> => {
  const store = createMemoryEventStore('main');
  await startProcess(store).commands.bind(createOrganization)({ name: 'Acme' }, aContext());
  return store;
};

/** Lets other tasks continue. */
const soon = async (milliseconds: number): Promise<void> => {
  for (let ticks = 0; ticks < milliseconds; ticks++) await new Promise((resolve) => setImmediate(resolve));
};

/** Starts a process with its own read model, which lags behind. */
const process = (log: EventStore, plans: Plans, { seen = log, moves = (): boolean => false } = {}) =>
  startProcess(log, { plans, runners: RUNNERS, usage: laggingUsageOf(seen, moves), pause: soon }).commands.bind;

const pagesIn = async (store: EventStore): Promise<number> =>
  [...(await pagesOf(store)).values()].filter(({ status }) => status === 'active').length;
const typesIn = async (store: EventStore, category: string): Promise<string[]> =>
  (await store.readAll({ after: 0n, categories: [category] })).map(({ type }) => type);

const CHECK = {
  type: 'tcp',
  name: 'Port',
  active: true,
  interval: 60,
  timeout: 10,
  host: 'localhost',
  url: null,
  port: 80,
  parameters: {},
} as const;

/** Starts a subscription of an organization to a plan. */
const subscribe = async (store: EventStore, plan: ReturnType<typeof planOf>): Promise<void> => {
  const handle = createHandle({ store, clock: () => Date.UTC(2026, 10, 20, 15) });
  await handle(
    ORGANIZATION,
    organizationDecider,
    (): OrganizationEvent => ({
      type: 'SubscriptionStarted',
      data: {
        organization_id: ORGANIZATION,
        subscription_id: `subscription to ${plan.id}`,
        plan,
        start_date: '2026-11-20T15:00:00.000000',
        end_date: '2026-12-20T15:00:00.000000',
        payment_id: null,
      },
    }),
    aContext(),
  );
};

test('a plan allows as many resources as its quota, and the error for a further resource names the quota', async () => {
  const store = await opened();
  const ask = process(store, limitedTo({ pages: 2 }));
  await ask(createPage)({ name: 'One' }, aContext());
  await ask(createPage)({ name: 'Two' }, aContext());
  const refusal = 'The plan "The small plan" allows 2 pages, and the organization already has that many.';
  await rejects(ask(createPage)({ name: 'Three' }, aContext()), Forbidden, refusal);
  assert.is(await pagesIn(store), 2);
});

test('no slot of a quota is used twice or lost, in any order of steps', async () => {
  for (let seed = 1; seed <= 25; seed++) {
    const store = await opened();
    const random = randomFrom(seed);
    const plans = limitedTo({ pages: 3 });
    const rivals = Array.from({ length: 3 }, () =>
      process(withRandomDelays(store, random), plans, { seen: store, moves: () => random() < 0.3 }),
    );
    const outcomes = await Promise.allSettled(
      [0, 1, 2].flatMap((n) => rivals.map((ask) => ask(createPage)({ name: `Page ${n}` }, aContext()))),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as unknown);
    for (const reason of refused) assert.instance(reason, Forbidden, `${seed}: ${String(reason)}`);
    assert.is(await pagesIn(store), 3, `seed ${seed}`);
  }
});

test('a deletion frees its slot of the quota although the read model has not processed it', async () => {
  const store = await opened();
  const ask = process(store, limitedTo({ pages: 1 }));
  const page = await ask(createPage)({ name: 'One' }, aContext());
  await ask(deletePage)(page, aContext());
  await ask(createPage)({ name: 'Two' }, aContext());
  await rejects(ask(createPage)({ name: 'Three' }, aContext()), Forbidden);
});

test('a process that dies before or after it uses a slot of the quota does not block the slot', async () => {
  for (const appends of [1, 2, 3]) {
    const store = await opened();
    const plans = limitedTo({ pages: 2 });
    const mortal = process(dyingAtAppend(store, appends), plans, { seen: store });
    await rejects(mortal(createPage)({ name: 'Mine', subdomain: 'mine' }, aContext()), ProcessDied);
    const ask = process(store, plans);
    const already = await pagesIn(store);
    for (let n = already; n < 2; n++) await ask(createPage)({ name: 'Next' }, aContext());
    await rejects(ask(createPage)({ name: 'Surplus' }, aContext()), Forbidden);
    assert.is(await pagesIn(store), 2, `dead after ${appends}`);
  }
});

test('a slow process loses its slot of the quota and has no later effect', async () => {
  const store = await opened();
  const plans = limitedTo({ pages: 1, checks: 1 });
  const quick = process(store, plans);
  const slow = process(
    delayedBefore(store, 'PageCreated', () => quick(createPage)({ name: 'Quick' }, aContext())),
    plans,
    { seen: store },
  );
  await rejects(slow(createPage)({ name: 'Slow' }, aContext()), Forbidden);
  assert.is(await pagesIn(store), 1);

  const slowCheck = process(
    delayedBefore(store, 'CheckCreated', () => quick(createCheck)({ ...CHECK, name: 'Quick' }, aContext())),
    plans,
    { seen: store },
  );
  await rejects(slowCheck(createCheck)({ ...CHECK, name: 'Slow' }, aContext()), Forbidden);
  const types = await typesIn(store, 'check');
  assert.equal(types.sort(), ['CheckCreated', 'CheckCreationAbandoned']);
});

test('a slot of the quota is free again if the creation that has reserved it is refused for another reason', async () => {
  const store = await opened();
  const ask = process(store, limitedTo({ pages: 2 }));
  await ask(createPage)({ name: 'One', subdomain: 'one' }, aContext());
  for (let n = 0; n < 3; n++) await rejects(ask(createPage)({ name: 'Two', subdomain: 'one' }, aContext()), NameTaken);
  await ask(createPage)({ name: 'Two', subdomain: 'two' }, aContext());
});

test('a repeated request uses one slot of the quota', async () => {
  const store = await opened();
  const plans = limitedTo({ checks: 1 });
  const context = () => aContext({ commandId: '6f1d8c1e-0000-5000-8000-000000000001', repeatable: true });
  const id = await process(store, plans)(createCheck)(CHECK, context());
  assert.is(await process(store, plans)(createCheck)(CHECK, context()), id);
  assert.equal(await typesIn(store, 'check'), ['CheckCreated']);

  const dead = process(dyingAtAppend(store, 1), limitedTo({ checks: 2 }), { seen: store });
  const again = () => aContext({ commandId: '6f1d8c1e-0000-5000-8000-000000000002', repeatable: true });
  await rejects(dead(createCheck)(CHECK, again()), ProcessDied);
  await process(store, limitedTo({ checks: 2 }))(createCheck)(CHECK, again());
  await rejects(process(store, limitedTo({ checks: 2 }))(createCheck)(CHECK, aContext()), Forbidden);
});

test('a quota requires no reservation while no plan limits it', async () => {
  const store = await opened();
  const read: string[] = [];
  const watched: EventStore = {
    ...store,
    name: store.name,
    readStream: (stream, options) => {
      read.push(stream);
      return store.readStream(stream, options);
    },
  };
  const id = await startProcess(watched, { runners: RUNNERS }).commands.bind(createCheck)(CHECK, aContext());
  await startProcess(watched, { runners: RUNNERS }).commands.bind(updateCheck)(id, { interval: 30 }, aContext());
  assert.equal(read, [`check-${id}`]);
  assert.equal(await typesIn(store, 'quota'), []);

  read.length = 0;
  const unlimited = plansOf([planOf('free', {}), planOf('small', { checks: 1 })], 'free');
  const ask = startProcess(watched, { plans: unlimited, runners: RUNNERS }).commands.bind;
  for (let n = 0; n < 3; n++) await ask(createCheck)(CHECK, aContext());
  assert.equal(
    read,
    Array.from({ length: 3 }, () => `organization-${ORGANIZATION}`),
  );
  assert.equal(await typesIn(store, 'quota'), []);
});

test('a quota shrinks and grows with the plan, existing resources remain, and resources that were created without a limit count', async () => {
  const store = await opened();
  const [free, small] = [planOf('free', {}), planOf('small', { pages: 2 })];
  const plans = plansOf([free, small], 'free');
  const ask = process(store, plans);
  const first = await ask(createPage)({ name: 'Page' }, aContext());
  for (let n = 0; n < 3; n++) await ask(createPage)({ name: 'Page' }, aContext());
  await subscribe(store, small);
  await rejects(ask(createPage)({ name: 'Surplus' }, aContext()), Forbidden);
  assert.is(await pagesIn(store), 4);
  await subscribe(store, free);
  for (let n = 0; n < 2; n++) await ask(createPage)({ name: 'Page' }, aContext());
  await subscribe(store, small);
  await rejects(ask(createPage)({ name: 'Surplus' }, aContext()), Forbidden);
  await subscribe(store, planOf('large', { pages: 7 }));
  await ask(createPage)({ name: 'Last' }, aContext());
  await rejects(ask(createPage)({ name: 'Surplus' }, aContext()), Forbidden);
  await ask(deletePage)(first, aContext());
  await ask(createPage)({ name: 'Instead' }, aContext());
  assert.is(await pagesIn(store), 7);
});

test('quotas of different kinds and organizations are independent', async () => {
  const store = await opened();
  await startProcess(store).commands.bind(createOrganization)(
    { name: 'B' },
    aContext({ organizationId: 'org000000002' }),
  );
  const ask = process(store, limitedTo({ pages: 1, checks: 1 }));
  for (const organizationId of [ORGANIZATION, 'org000000002']) {
    await ask(createPage)({ name: 'Page' }, aContext({ organizationId }));
    const check = await ask(createCheck)(CHECK, aContext({ organizationId }));
    await rejects(ask(createCheck)(CHECK, aContext({ organizationId })), Forbidden);
    await ask(deleteCheck)(check, aContext({ organizationId }));
    await ask(createCheck)(CHECK, aContext({ organizationId }));
  }
});

test('the minimum interval of a plan applies to new checks, and existing checks with a shorter interval can still be changed', async () => {
  const store = await opened();
  const often = await process(store, limitedTo({}))(createCheck)({ ...CHECK, interval: 30 }, aContext());
  const ask = process(store, limitedTo({ shortest_interval: 60, checks: 2 }));
  const refusal = 'The plan "The small plan" allows intervals of 60 seconds or more.';
  await rejects(ask(createCheck)({ ...CHECK, interval: 59 }, aContext()), Forbidden, refusal);
  await ask(updateCheck)(often, { interval: 30, name: 'Renamed' }, aContext());
  await rejects(ask(updateCheck)(often, { interval: 45 }, aContext()), Forbidden, refusal);
  await ask(updateCheck)(often, { interval: 60 }, aContext());
  await rejects(ask(updateCheck)(often, { interval: 30 }, aContext()), Forbidden, refusal);
  await ask(createCheck)(CHECK, aContext());
});

test.run();
