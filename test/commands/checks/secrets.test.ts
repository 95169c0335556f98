import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bindSecret, replaceSecrets, unbindSecret } from '../../../commands/checks/check-secrets.ts';
import { createCheck, deleteCheck } from '../../../commands/checks/checks.ts';
import { SecretNameTaken } from '../../../commands/reservations/secret-names.ts';
import { changeSecret, createSecret, deleteSecret, recordValueRead } from '../../../commands/checks/secrets.ts';
import { secretKey } from '../../../domain/secret/decide.ts';
import { Conflict, DomainError, Invalid, NotFound } from '../../../domain/errors.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { FORGOTTEN, type Keys } from '../../../stores/keys/port.ts';
import { rejects } from '../../rejects.ts';
import {
  aContext,
  withRandomDelays,
  ProcessDied,
  dyingAtAppend,
  delayedBefore,
  randomFrom,
} from '../simulated-processes.ts';
import { CHECK, checksIn, danglingIn, isBound, process, secretsIn } from '../secret-fixtures.ts';

const test = suite('secrets and their bindings to checks');

const VALUE = 'correct horse battery staple';
type Ask = ReturnType<typeof process>;

const opened = (): { store: EventStore; keys: Keys; ask: Ask } => {
  const [store, keys] = [createMemoryEventStore('main'), createMemoryKeys()];
  return { store, keys, ask: process(store, keys) };
};

const aSecret = (ask: Ask, secret_name = 'TOKEN', context = aContext()): Promise<string> =>
  ask(createSecret)({ secret_name, secret_value: VALUE }, context);
const aCheck = (ask: Ask, secrets: string[] = [], context = aContext(), name = 'Port'): Promise<string> =>
  ask(createCheck)(
    { ...CHECK, name },
    context,
    undefined,
    secrets.map((secret_id, n) => ({ secret_id, env_variable: `TOKEN_${n}` })),
  );
const bind = (ask: Ask, checkId: string, secret_id: string, env_variable = 'TOKEN', context = aContext()) =>
  ask(bindSecret)(checkId, { secret_id, env_variable }, context);

const typesOf = async (store: EventStore, stream: string): Promise<string[]> =>
  (await store.readStream(stream)).map(({ type }) => type);

test('the value of a secret is stored only in sealed form', async () => {
  const { store, keys, ask } = opened();
  const id = await aSecret(ask);
  await ask(changeSecret)(id, { secret_value: `${VALUE} again` }, aContext());
  const events = await store.readAll({ after: 0n });
  assert.not.match(
    JSON.stringify(events, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part)),
    VALUE,
  );
  const secret = (await secretsIn(store)).get(id);
  assert.ok(secret?.status === 'live');
  const location = { organizationId: 'org000000001', field: 'secret_value' };
  assert.is(await keys.open(secret.value, location), `${VALUE} again`);
});

test('the name of a secret is unique in an organization until the secret is deleted', async () => {
  const { ask, store } = opened();
  const id = await aSecret(ask);
  await rejects(aSecret(ask), SecretNameTaken, 'A secret named TOKEN already exists.');
  await aSecret(ask, 'token');
  await aSecret(ask, 'TOKEN', aContext({ organizationId: 'org000000002' }));
  await ask(deleteSecret)(id, aContext());
  await aSecret(ask);
  assert.is([...(await secretsIn(store)).values()].filter(({ status }) => status === 'live').length, 3);
});

test('concurrent requests claim the name of a secret once, in any order of steps', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { store, keys } = opened();
    const random = randomFrom(seed);
    const rivals = Array.from({ length: 4 }, () => process(withRandomDelays(store, random), keys));
    const outcomes = await Promise.allSettled(rivals.flatMap((ask) => [aSecret(ask), aSecret(ask)]));
    for (const outcome of outcomes) if (outcome.status === 'rejected') assert.instance(outcome.reason, Conflict);
    assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1, `seed ${seed}`);
    const live = [...(await secretsIn(store)).values()].filter(({ status }) => status === 'live');
    assert.is(live.length, 1);
  }
});

test('the name of a secret is released when the process that claimed it dies', async () => {
  for (const appends of [1, 2]) {
    const { store, keys, ask } = opened();
    const { commandId } = aContext();
    const context = () => aContext({ commandId, repeatable: true });
    await rejects(aSecret(process(dyingAtAppend(store, appends), keys), 'TOKEN', context()), ProcessDied);
    if (appends === 1) {
      await aSecret(ask);
      // The resumed process finds that the name is taken, and creates nothing.
      await rejects(aSecret(ask, 'TOKEN', context()), SecretNameTaken);
    } else {
      const id = await aSecret(ask, 'TOKEN', context());
      assert.ok((await secretsIn(store)).get(id)?.status === 'live');
    }
    assert.is([...(await secretsIn(store)).values()].filter(({ status }) => status === 'live').length, 1);
  }
});

test('deleting a secret deletes its value', async () => {
  const { store, keys, ask } = opened();
  const id = await aSecret(ask);
  const secret = (await secretsIn(store)).get(id);
  await ask(deleteSecret)(id, aContext());
  assert.ok(secret?.status === 'live');
  assert.is(await keys.open(secret.value, { organizationId: 'org000000001', field: 'secret_value' }), FORGOTTEN);
  assert.equal(await keys.names({ prefix: 'secret-', after: '', limit: 10 }), []);
  await rejects(ask(deleteSecret)(id, aContext()), NotFound);
  await rejects(ask(changeSecret)(id, { secret_value: 'x' }, aContext()), NotFound);
  await rejects(ask(recordValueRead)(id, aContext()), NotFound);
});

test('setting the value of a secret that is being deleted fails with 404 and leaves no key', async () => {
  const { store, keys, ask } = opened();
  const id = await aSecret(ask);
  const slow = process(
    delayedBefore(store, 'SecretValueChanged', () => ask(deleteSecret)(id, aContext())),
    keys,
  );
  await rejects(slow(changeSecret)(id, { secret_value: 'x' }, aContext()), NotFound);
  assert.equal(await keys.names({ prefix: 'secret-', after: '', limit: 10 }), []);
  const late = await aSecret(ask);
  await keys.forget(secretKey(late));
  await rejects(ask(changeSecret)(late, { secret_value: 'x' }, aContext()), NotFound);
});

test('other organizations find no secret or binding', async () => {
  const { store, ask } = opened();
  const [secret, check] = [await aSecret(ask), await aCheck(ask)];
  const theirs = () => aContext({ organizationId: 'org000000002' });
  await rejects(ask(changeSecret)(secret, { secret_value: 'x' }, theirs()), NotFound);
  await rejects(ask(recordValueRead)(secret, theirs()), NotFound);
  await rejects(ask(deleteSecret)(secret, theirs()), NotFound);
  await rejects(bind(ask, check, secret, 'TOKEN', theirs()), NotFound);
  await rejects(ask(unbindSecret)(check, secret, theirs()), NotFound);
  await rejects(ask(replaceSecrets)(check, [], theirs()), NotFound);
  const own = await aCheck(ask, [], theirs());
  await rejects(bind(ask, own, secret, 'TOKEN', theirs()), Invalid);
  await rejects(ask(replaceSecrets)(own, [{ secret_id: secret, env_variable: 'A' }], theirs()), Invalid);
  await rejects(aCheck(ask, [secret], theirs()), Invalid);
  assert.equal(await typesOf(store, `secret-${secret}`), ['SecretCreated']);
});

test("a secret to which checks are bound can't be deleted, and the error names the checks", async () => {
  const { ask } = opened();
  const secret = await aSecret(ask);
  const checks = [await aCheck(ask, [secret], aContext(), 'Shop'), await aCheck(ask, [], aContext(), 'Login')];
  await bind(ask, checks[1] ?? '', secret);
  const refusal = 'This secret is bound to the checks "Shop", "Login".';
  await rejects(ask(deleteSecret)(secret, aContext()), Conflict, refusal);
  await ask(unbindSecret)(checks[0] ?? '', secret, aContext());
  await rejects(ask(deleteSecret)(secret, aContext()), Conflict, 'This secret is bound to the check "Login".');
  await ask(deleteCheck)(checks[1] ?? '', aContext());
  await ask(deleteSecret)(secret, aContext());
});

test('the error for a bound secret names ten checks and the number of further checks', async () => {
  const { ask } = opened();
  const secret = await aSecret(ask);
  for (let n = 0; n < 13; n++) await aCheck(ask, [secret], aContext(), `Check ${n}`);
  await rejects(ask(deleteSecret)(secret, aContext()), Conflict, /"Check 9", 3 more\.$/);
});

test('a refused request claims no secret', async () => {
  const { store, ask } = opened();
  const [one, other] = [await aSecret(ask), await aSecret(ask, 'OTHER')];
  const check = await aCheck(ask, [one]);
  await rejects(bind(ask, check, one, 'AGAIN'), Conflict, 'This secret is already bound to the check.');
  await rejects(bind(ask, check, other, 'TOKEN_0'), Conflict, /^The environment variable TOKEN_0 reads another/);
  await rejects(bind(ask, check, 'nosuchsecret'), Invalid);
  await rejects(bind(ask, 'nosuchcheck0', other), NotFound);
  await rejects(
    ask(replaceSecrets)(
      check,
      [
        { secret_id: other, env_variable: 'A' },
        { secret_id: 'nosuchsecret', env_variable: 'B' },
      ],
      aContext(),
    ),
    Invalid,
  );
  assert.equal(await typesOf(store, `secret-${other}`), ['SecretCreated']);
});

test('all bindings are replaced in one request, and the remaining ones keep their IDs', async () => {
  const { store, ask } = opened();
  const [a = '', b = '', c = ''] = await Promise.all(['A', 'B', 'C'].map((name) => aSecret(ask, name)));
  const check = await aCheck(ask, [a, b]);
  const bindings = async () => {
    const state = (await checksIn(store)).get(check);
    return state && 'secrets' in state ? state.secrets : [];
  };
  const [before] = await bindings();
  const wanted = [
    { secret_id: c, env_variable: 'TOKEN_1' },
    { secret_id: a, env_variable: 'TOKEN_0' },
  ];
  await ask(replaceSecrets)(check, wanted, aContext());
  assert.equal(
    (await bindings()).map(({ secret_id, env_variable }) => ({ secret_id, env_variable })),
    wanted,
  );
  assert.equal((await bindings())[1], before);
  assert.is((await typesOf(store, `check-${check}`)).length, 2);
  await ask(deleteSecret)(b, aContext());
  // A repetition changes nothing. A change of the variable creates another binding with the same claim.
  await ask(replaceSecrets)(check, wanted, aContext());
  assert.is((await typesOf(store, `check-${check}`)).length, 2);
  await ask(replaceSecrets)(check, [{ secret_id: a, env_variable: 'RENAMED' }], aContext());
  assert.is(before?.claim, (await bindings())[0]?.claim);
  await rejects(ask(deleteSecret)(a, aContext()), Conflict);
  await ask(deleteSecret)(c, aContext());
  assert.equal(await danglingIn(store), []);
});

test('a claim on a secret is released with its binding and with its check', async () => {
  const { store, ask } = opened();
  const secret = await aSecret(ask);
  const [check, other] = [await aCheck(ask, [secret]), await aCheck(ask, [secret])];
  await ask(unbindSecret)(check, secret, aContext());
  await ask(deleteCheck)(other, aContext());
  const state = (await secretsIn(store)).get(secret);
  assert.is(state?.status === 'live' && state.claims.size, 0);
  assert.not(await isBound(store, check, secret));
});

test('when a secret is deleted while it is being bound, either the deletion is refused or the secret is not found', async () => {
  for (const held of ['SecretClaimed', 'CheckSecretsChanged']) {
    const { store, keys, ask } = opened();
    const [secret, check] = [await aSecret(ask), await aCheck(ask)];
    const slow = process(
      delayedBefore(store, held, () => ask(deleteSecret)(secret, aContext())),
      keys,
    );
    await rejects(bind(slow, check, secret), Invalid);
    assert.equal(await danglingIn(store), [], held);
    assert.is((await secretsIn(store)).get(secret)?.status, 'deleted', held);
  }
});

test('a check is not created with a secret that is deleted meanwhile', async () => {
  for (const held of ['SecretClaimed', 'CheckCreated']) {
    const { store, keys, ask } = opened();
    const secret = await aSecret(ask);
    const slow = process(
      delayedBefore(store, held, () => ask(deleteSecret)(secret, aContext())),
      keys,
    );
    await rejects(aCheck(slow, [secret]), Invalid);
    assert.equal(await danglingIn(store), [], held);
    assert.equal(
      [...(await checksIn(store)).values()].filter((check) => check.status === 'pending'),
      [],
    );
  }
});

test('when a secret is bound and deleted concurrently, either the secret remains or the binding is not made', async () => {
  const { store, keys, ask } = opened();
  const [secret, check] = [await aSecret(ask), await aCheck(ask)];
  // The deleting process has read the claims before the binding and has found none.
  const slow = process(
    delayedBefore(store, 'SecretDeleted', () => bind(ask, check, secret)),
    keys,
  );
  await rejects(slow(deleteSecret)(secret, aContext()), Conflict, 'This secret is bound to the check "Port".');
  assert.equal(await danglingIn(store), []);
  assert.ok(await isBound(store, check, secret));
});

test('a binding whose claim was closed is made with another claim if the secret still exists', async () => {
  const { store, keys, ask } = opened();
  const [secret, check, other] = [await aSecret(ask), await aCheck(ask), await aCheck(ask)];
  await bind(ask, other, secret);
  // The deletion is refused because of the other check, but it has already closed the claim of this check.
  const meanwhile = () => rejects(ask(deleteSecret)(secret, aContext()), Conflict, /"Port"/);
  const slow = process(delayedBefore(store, 'CheckSecretsChanged', meanwhile), keys);
  await bind(slow, check, secret);
  assert.ok(await isBound(store, check, secret));
  assert.equal(await danglingIn(store), []);
  await rejects(ask(deleteSecret)(secret, aContext()), Conflict, /"Port", "Port"/);
});

test('a process that dies while it binds a secret blocks no other command, and the command can be repeated', async () => {
  const commands: Record<
    string,
    (ask: Ask, ids: { secret: string; check: string }, again: string) => Promise<unknown>
  > = {
    bind: (ask, { secret, check }, again) =>
      bind(ask, check, secret, 'TOKEN', aContext({ commandId: again, repeatable: true })),
    create: (ask, { secret }, again) => aCheck(ask, [secret], aContext({ commandId: again, repeatable: true })),
    replace: (ask, { secret, check }, again) =>
      ask(replaceSecrets)(
        check,
        [{ secret_id: secret, env_variable: 'TOKEN' }],
        aContext({ commandId: again, repeatable: true }),
      ),
    unbind: async (ask, { secret, check }, again) => {
      await bind(ask, check, secret);
      await ask(unbindSecret)(check, secret, aContext({ commandId: again, repeatable: true }));
    },
  };
  for (const [name, command] of Object.entries(commands)) {
    for (const appends of [1, 2, 3, 4]) {
      for (const comesBack of [true, false]) {
        const { store, keys, ask } = opened();
        const ids = { secret: await aSecret(ask), check: await aCheck(ask) };
        const again = aContext().commandId;
        await command(process(dyingAtAppend(store, appends), keys), ids, again).catch((error: unknown) => {
          assert.instance(error, ProcessDied);
        });
        const label = `${name}, ${appends} appends`;
        assert.equal(await danglingIn(store), [], label);
        if (comesBack && name !== 'unbind') {
          await command(ask, ids, again);
          assert.equal(await danglingIn(store), [], label);
          const bound = [...(await checksIn(store)).values()].flatMap((state) =>
            'secrets' in state ? state.secrets : [],
          );
          assert.is(bound.length, 1, label);
        }
        const checks = [...(await checksIn(store))].filter(([, state]) => state.status === 'pending');
        for (const [id] of checks) await ask(replaceSecrets)(id, [], aContext());
        await ask(deleteSecret)(ids.secret, aContext());
        // The resumed process finds that the secret was deleted.
        if (!comesBack && name === 'create')
          await rejects(command(ask, ids, again), DomainError).catch(() => undefined);
        assert.equal(await danglingIn(store), [], label);
      }
    }
  }
});

test('a repeated command completes an interrupted deletion', async () => {
  for (const appends of [1, 2]) {
    const { store, keys, ask } = opened();
    const secret = await aSecret(ask);
    const context = aContext({ repeatable: true });
    await process(
      dyingAtAppend(store, appends),
      keys,
    )(deleteSecret)(secret, context).catch((error: unknown) => {
      assert.instance(error, ProcessDied);
    });
    await ask(deleteSecret)(secret, context);
    assert.equal(await keys.names({ prefix: 'secret-', after: '', limit: 10 }), []);
    await aSecret(ask);
  }
});

test('concurrent commands never leave a check bound to a deleted secret', async () => {
  const counts = { deleted: 0, bound: 0 };
  for (let seed = 1; seed <= 60; seed++) {
    const { store, keys, ask } = opened();
    const random = randomFrom(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const secrets = await Promise.all(['A', 'B'].map((name) => aSecret(ask, name)));
    const checks = [await aCheck(ask), await aCheck(ask, [pick(secrets)])];
    const rivals = Array.from({ length: 3 }, () => process(withRandomDelays(store, random), keys));
    const deeds: ((rival: Ask) => Promise<unknown>)[] = [
      (rival) => bind(rival, pick(checks), pick(secrets), pick(['X', 'Y'])),
      (rival) => rival(unbindSecret)(pick(checks), pick(secrets), aContext()),
      (rival) => rival(replaceSecrets)(pick(checks), [{ secret_id: pick(secrets), env_variable: 'Z' }], aContext()),
      (rival) => rival(replaceSecrets)(pick(checks), [], aContext()),
      (rival) => aCheck(rival, [pick(secrets)]),
      (rival) => rival(deleteSecret)(pick(secrets), aContext()),
      (rival) => rival(deleteSecret)(pick(secrets), aContext()),
      (rival) => rival(recordValueRead)(pick(secrets), aContext()),
      (rival) => rival(deleteCheck)(pick(checks), aContext()),
    ];
    const outcomes = await Promise.allSettled(Array.from({ length: 18 }, () => pick(deeds)(pick(rivals))));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.instance(outcome.reason, DomainError, String(outcome.reason));
    }
    assert.equal(await danglingIn(store), [], `seed ${seed}`);
    counts.deleted += [...(await secretsIn(store)).values()].filter(({ status }) => status === 'deleted').length;
    counts.bound += [...(await checksIn(store)).values()].filter(
      (check) => 'secrets' in check && check.secrets.length > 0,
    ).length;
    // An unbound secret can be deleted although claims are left over.
    for (const [id, state] of await checksIn(store)) {
      if (state.status === 'pending') await ask(replaceSecrets)(id, [], aContext());
    }
    for (const [id, state] of await secretsIn(store))
      if (state.status === 'live') await ask(deleteSecret)(id, aContext());
    assert.equal(await danglingIn(store), [], `seed ${seed}, in the end`);
  }
  assert.ok(counts.deleted > 10 && counts.bound > 10, JSON.stringify(counts));
});

test.run();
