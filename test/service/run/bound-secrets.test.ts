import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHandle } from '../../../commands/engine/handle.ts';
import { boundSecrets } from '../../../service/run/bound-secrets.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import {
  binding,
  CHECK,
  checkCreated,
  checkDeleted,
  ORGANIZATION,
  secretsChanged,
} from '../../domain/check/examples.ts';
import { NAME, SECRET, sealedValue, secretCreated, secretDeleted, valueChanged } from '../../domain/secret/examples.ts';
import { recorded, type Fact } from '../../projections/history.ts';
import { scopeOf } from '../../queries/engine/scope.ts';

const test = suite('the bound secrets of a run');

const bound = [checkCreated({}, undefined, [binding()])];

/**
 * Reads the secrets of a check. The read models contain only the events in `known`, whereas the log also contains those
 * in `more`.
 */
const read = async (known: readonly Fact[], more: readonly Fact[] = [], organizationId = ORGANIZATION) => {
  const main = createMemoryEventStore('main');
  for (const { stream, id, type, data, metadata } of recorded([...known, ...more])) {
    await main.append(stream, [{ id, type, data, metadata }], 'any');
  }
  const handle = createHandle({ store: main, clock: () => 0 });
  const secretsOf = boundSecrets({ readers: { for: () => scopeOf(known).read }, handle });
  return secretsOf(CHECK, organizationId);
};
const shown = (sealed?: string) => [
  { env_variable: 'TOKEN', secret: { secret_name: NAME, secret_value: sealedValue(sealed) } },
];
const picked = (secrets: Awaited<ReturnType<typeof read>>) =>
  secrets.map(({ env_variable, secret }) => ({
    env_variable,
    secret: secret && { secret_name: secret.secret_name, secret_value: secret.secret_value },
  }));

test('a run gets the current value of each secret that is bound to its check', async () => {
  assert.equal(picked(await read([secretCreated(), ...bound])), shown());
  assert.equal(picked(await read([secretCreated(), ...bound, valueChanged()])), shown('b3RoZXI'));
});

test('a run gets no secrets if its check has none, was deleted, or belongs to another organization', async () => {
  assert.equal(await read([secretCreated(), checkCreated()]), []);
  assert.equal(await read([secretCreated(), ...bound, secretsChanged([], [binding()])]), []);
  assert.equal(await read([secretCreated(), ...bound, checkDeleted]), []);
  assert.equal(await read([]), []);
  assert.equal(await read([secretCreated(), ...bound], [], 'org000000002'), []);
});

test('a run gets a secret from the log if a read model does not have it yet', async () => {
  assert.equal(picked(await read(bound, [secretCreated(), valueChanged()])), shown('b3RoZXI'));
});

test('a run gets null instead of a deleted secret', async () => {
  const gone = [{ env_variable: 'TOKEN', secret: null }];
  assert.equal(picked(await read([secretCreated(), ...bound, secretDeleted])), gone);
  assert.equal(picked(await read(bound)), gone);
  assert.is(SECRET, binding().secret_id);
});

test.run();
