import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCheck, deleteCheck, restoreCheck } from '../../../commands/checks/checks.ts';
import { createSecret, deleteSecret } from '../../../commands/checks/secrets.ts';
import { createOrganization } from '../../../commands/organizations/organizations.ts';
import { isLive } from '../../../domain/check/state.ts';
import { DomainError, Forbidden, NotFound } from '../../../domain/errors.ts';
import { NO_LIMITS, plansOf } from '../../../domain/organization/plans.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import type { Keys } from '../../../stores/keys/port.ts';
import { rejects } from '../../rejects.ts';
import {
  aContext,
  withRandomDelays,
  ProcessDied,
  dyingAtAppend,
  delayedBefore,
  randomFrom,
} from '../simulated-processes.ts';
import { CHECK, checksIn, danglingIn, process, secretsIn } from '../secret-fixtures.ts';
import { laggingUsageOf } from '../late-usage.ts';

const test = suite('restoring a check');

type Ask = ReturnType<typeof process>;

const ONE_CHECK = plansOf(
  [
    {
      id: 'small',
      name: 'Small',
      description: null,
      price: { amount: 0, currency: 'EUR' },
      duration: 30,
      limits: { ...NO_LIMITS, checks: 1 },
    },
  ],
  'small',
);

const opened = (): { store: EventStore; keys: Keys; ask: Ask } => {
  const [store, keys] = [createMemoryEventStore('main'), createMemoryKeys()];
  return { store, keys, ask: process(store, keys) };
};

const aSecret = (ask: Ask, secret_name: string): Promise<string> =>
  ask(createSecret)({ secret_name, secret_value: 'correct horse' }, aContext());
const aCheck = (ask: Ask, secrets: string[] = []): Promise<string> =>
  ask(createCheck)(
    CHECK,
    aContext(),
    undefined,
    secrets.map((secret_id, n) => ({ secret_id, env_variable: `TOKEN_${n}` })),
  );

const secretsOf = async (store: EventStore, id: string): Promise<string[] | null> => {
  const check = (await checksIn(store)).get(id);
  return check && isLive(check) ? check.secrets.map(({ secret_id }) => secret_id) : null;
};
const liveIn = async (store: EventStore): Promise<number> =>
  [...(await checksIn(store)).values()].filter(isLive).length;
const typesOf = async (store: EventStore, stream: string): Promise<string[]> =>
  (await store.readStream(stream)).map(({ type }) => type);

test('a restored check has its previous bindings to the secrets that still exist', async () => {
  const { store, ask } = opened();
  const [remaining, lost] = [await aSecret(ask, 'KEPT'), await aSecret(ask, 'LOST')];
  const id = await aCheck(ask, [remaining, lost]);
  const before = (await checksIn(store)).get(id);
  await ask(deleteCheck)(id, aContext());
  await ask(deleteSecret)(lost, aContext());
  await ask(restoreCheck)(id, aContext());
  const after = (await checksIn(store)).get(id);
  assert.ok(before && after && isLive(before) && isLive(after));
  assert.equal(
    after.secrets.map((binding) => ({ ...binding, claim: 0 })),
    before.secrets.filter(({ secret_id }) => secret_id === remaining).map((binding) => ({ ...binding, claim: 0 })),
  );
  assert.equal(await danglingIn(store), []);
  await rejects(ask(deleteSecret)(remaining, aContext()), DomainError);
});

test('restoring an existing check changes nothing, and other organizations do not find the check', async () => {
  const { store, ask } = opened();
  const id = await aCheck(ask);
  await ask(restoreCheck)(id, aContext());
  await ask(deleteCheck)(id, aContext());
  await rejects(ask(restoreCheck)(id, aContext({ organizationId: 'org000000002' })), NotFound);
  const context = aContext({ repeatable: true });
  await ask(restoreCheck)(id, context);
  await ask(restoreCheck)(id, aContext({ commandId: context.commandId, repeatable: true }));
  assert.equal(await typesOf(store, `check-${id}`), ['CheckCreated', 'CheckDeleted', 'CheckRestored']);
});

test('a check that is restored while its secret is deleted never remains bound to the secret, in any order of steps', async () => {
  const outcomes = new Set<string>();
  for (let seed = 1; seed <= 20; seed++) {
    const { store, keys, ask } = opened();
    const random = randomFrom(seed);
    const secret = await aSecret(ask, 'TOKEN');
    const id = await aCheck(ask, [secret]);
    await ask(deleteCheck)(id, aContext());
    const [one, other] = [
      process(withRandomDelays(store, random), keys),
      process(withRandomDelays(store, random), keys),
    ];
    const [restored, deleted] = await Promise.allSettled([
      one(restoreCheck)(id, aContext()),
      other(deleteSecret)(secret, aContext()),
    ]);
    assert.is(restored.status, 'fulfilled', `seed ${seed}`);
    assert.equal(await danglingIn(store), [], `seed ${seed}`);
    outcomes.add(deleted.status);
  }
  assert.ok(outcomes.size > 0);
});

test('a check that is restored slowly loses a secret that is deleted meanwhile', async () => {
  const { store, keys, ask } = opened();
  const secret = await aSecret(ask, 'TOKEN');
  const id = await aCheck(ask, [secret]);
  await ask(deleteCheck)(id, aContext());
  const slow = process(
    delayedBefore(store, 'CheckRestored', () => ask(deleteSecret)(secret, aContext())),
    keys,
  );
  await slow(restoreCheck)(id, aContext());
  assert.equal(await secretsOf(store, id), []);
  assert.is((await secretsIn(store)).get(secret)?.status, 'deleted');
});

test('a restoration is complete or has no effect when the process dies, and leaves nothing to clean up', async () => {
  for (const appends of [1, 2, 3]) {
    const { store, keys, ask } = opened();
    const secrets = [await aSecret(ask, 'A'), await aSecret(ask, 'B')];
    const id = await aCheck(ask, secrets);
    await ask(deleteCheck)(id, aContext());
    const { commandId } = aContext();
    const mortal = process(dyingAtAppend(store, appends), keys);
    await rejects(mortal(restoreCheck)(id, aContext({ commandId, repeatable: true })), ProcessDied);
    if (appends < 3) assert.is(await secretsOf(store, id), null);
    await process(store, keys)(restoreCheck)(id, aContext({ commandId, repeatable: true }));
    assert.equal(await secretsOf(store, id), secrets, `dead after ${appends}`);
    assert.equal(await danglingIn(store), []);
    await ask(deleteCheck)(id, aContext());
    for (const secret of secrets) await ask(deleteSecret)(secret, aContext());
  }
});

test('a restored check is bound to its secrets even if the process that deleted the check died before it released the claims of the check', async () => {
  const { store, keys, ask } = opened();
  const secret = await aSecret(ask, 'A');
  const id = await aCheck(ask, [secret]);
  await rejects(process(dyingAtAppend(store, 1), keys)(deleteCheck)(id, aContext()), ProcessDied);
  await process(store, keys)(restoreCheck)(id, aContext());
  assert.equal(await secretsOf(store, id), [secret]);
  assert.equal(await danglingIn(store), []);
});

const limited = async () => {
  const { store, keys, ask } = opened();
  await ask(createOrganization)({ name: 'Acme' }, aContext());
  const processOf = (log: EventStore, moves = (): boolean => false): Ask =>
    process(log, keys, { plans: ONE_CHECK, usage: laggingUsageOf(store, moves) });
  return { store, processOf };
};

test('restoring a check needs a free slot of the plan, and fails if another check has taken the last one', async () => {
  const { store, processOf } = await limited();
  const ask = processOf(store);
  const id = await aCheck(ask);
  await ask(deleteCheck)(id, aContext());
  await ask(restoreCheck)(id, aContext());
  await rejects(aCheck(ask), Forbidden);
  await ask(deleteCheck)(id, aContext());
  await ask(restoreCheck)(id, aContext());
  await ask(deleteCheck)(id, aContext());
  const other = await aCheck(ask);
  await rejects(
    ask(restoreCheck)(id, aContext()),
    Forbidden,
    'The plan "Small" allows 1 check, and the organization already has that many.',
  );
  await ask(deleteCheck)(other, aContext());
  await ask(restoreCheck)(id, aContext());
  assert.is(await liveIn(store), 1);
});

test('a restored and a created check never share the last slot of the plan, in any order of steps', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const { store, processOf } = await limited();
    const random = randomFrom(seed);
    const id = await aCheck(processOf(store));
    await processOf(store)(deleteCheck)(id, aContext());
    const rivals = Array.from({ length: 4 }, () => processOf(withRandomDelays(store, random), () => random() < 0.3));
    const outcomes = await Promise.allSettled(
      rivals.map((ask, n) => (n % 2 === 0 ? ask(restoreCheck)(id, aContext()) : aCheck(ask))),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as unknown);
    for (const reason of refused) assert.instance(reason, DomainError, `${seed}: ${String(reason)}`);
    assert.is(await liveIn(store), 1, `seed ${seed}`);
  }
});

test('a slow restoration loses its slot of the plan and has no later effect', async () => {
  const { store, processOf } = await limited();
  const quick = processOf(store);
  const id = await aCheck(quick);
  await quick(deleteCheck)(id, aContext());
  const slow = processOf(delayedBefore(store, 'CheckRestored', () => aCheck(quick)));
  await rejects(slow(restoreCheck)(id, aContext()), Forbidden);
  assert.is(await liveIn(store), 1);
  assert.is((await typesOf(store, `check-${id}`)).at(-1), 'CheckRestorationAbandoned');
});

test.run();
