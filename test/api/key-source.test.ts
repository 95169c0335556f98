import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuthenticate } from '../../api/authentication.ts';
import { createKeySource } from '../../api/key-source.ts';
import { commandLineContext } from '../../service/command-line.ts';
import { createHandle } from '../../commands/engine/handle.ts';
import { createApiKey, revokeApiKey } from '../../commands/organizations/api-keys.ts';
import { createOrganization } from '../../commands/organizations/organizations.ts';
import { createStatuses } from '../../projections/engine/status/statuses.ts';
import type { ProjectionStatus } from '../../projections/engine/status/protocol.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import type { ApiKeyDocument } from '../../projections/organizations/documents.ts';
import type { Read } from '../../projections/readers.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import { hashOfApiKey } from '../../domain/organization/api-key.ts';

const test = suite('lookup of API keys in read model and log');

const ORGANIZATION = 'organization';

/** Creates an organization with the key `deploy`. The read model contains the key and does not change afterwards. */
const opened = async (from = 0n) => {
  const store = createCheckedStore(createMemoryEventStore('main'));
  const handle = createHandle({ store, clock: Date.now });
  await createOrganization({ handle })({ name: 'Acme' }, commandLineContext(ORGANIZATION));
  const make = (key: string, expires_at: string | null = null) =>
    createApiKey({ handle })({ name: key, role: 'editor', key, expires_at }, commandLineContext(ORGANIZATION));
  const id = await make('deploy');
  await make('admin');
  const document = {
    id: hashOfApiKey('deploy'),
    api_key_id: id,
    organization_id: ORGANIZATION,
    role: 'editor',
    created_by: null,
    expires_at: null,
    allowed_ips: [],
  } as unknown as ApiKeyDocument;
  const read = (() => ({
    api_keys: { get: async (hash: string) => (hash === document.id ? document : null) },
    organizations: { find: async () => [{ id: ORGANIZATION }] },
  })) as unknown as Read;
  const statuses = createStatuses([organizations]);
  const say = (status: Partial<ProjectionStatus>): void => {
    statuses.receive([{ ...statuses.of('organizations'), error: null, oldest: null, ...status }]);
  };
  say({ state: 'live', position: 4n });
  const log = { asked: 0, down: false };
  const time = { now: 0 };
  const load: typeof handle.load = (...parameters) => {
    log.asked += 1;
    if (log.down) throw new StoreUnavailable('The disk is gone.');
    return handle.load(...parameters);
  };
  const source = createKeySource({ read, statuses, load, from, clock: () => time.now });
  const authenticate = createAuthenticate({
    ...source,
    session: async () => null,
    now: () => '2026-11-20T00:00:00.000000',
  });
  const revoke = () => revokeApiKey({ handle })(id, commandLineContext(ORGANIZATION));
  return { authenticate, source, say, log, revoke, make, time };
};

const BEHIND: readonly Partial<ProjectionStatus>[] = [
  { state: 'stopped' },
  { state: 'failing' },
  { state: 'waiting' },
  { state: 'building' },
  { state: 'catching_up' },
  { state: 'live', oldest: { position: 5n, recordedAt: Date.now() - 2_000 } },
];

for (const status of BEHIND) {
  test(`while the read model is ${status.state ?? ''} ${status.oldest ? 'but behind' : 'and has nothing to fold'}, keys are looked up in the log`, async () => {
    const { authenticate, say, revoke } = await opened();
    assert.ok(await authenticate('deploy'));
    say(status);
    assert.is((await authenticate('deploy'))?.organizationId, ORGANIZATION);
    await revoke();
    assert.is(await authenticate('deploy'), null);
  });
}

test('while the read model follows the log, the log is not read', async () => {
  const { authenticate, log } = await opened();
  for (const key of ['deploy', 'deploy', 'nobody']) await authenticate(key);
  assert.is(log.asked, 0);
});

test('a read model that lacks a revocation by this process is not trusted', async () => {
  const { authenticate, say, revoke } = await opened(5n);
  await revoke();
  assert.is(await authenticate('deploy'), null);
  say({ state: 'live', position: 5n });
  assert.ok(await authenticate('deploy'), 'the model of this test never learns of it');
});

test('a key that the read model lacks is found in the log', async () => {
  const { authenticate, say, make, time } = await opened();
  say({ state: 'stopped' });
  assert.is((await authenticate('admin'))?.actor.role, 'editor');
  await make('new');
  time.now = 1_001;
  assert.ok(await authenticate('new'));
  assert.is(await authenticate('nobody'), null);
});

test('not every guessed key causes a read of the log', async () => {
  const { authenticate, say, log } = await opened();
  say({ state: 'stopped' });
  for (let guess = 0; guess < 100; guess++) await authenticate(`guess ${guess}`);
  assert.is(log.asked, 1);
});

test('a key is refused after its expiry, whatever the read model contains', async () => {
  const { authenticate, say, make, time } = await opened();
  await make('short', '2030-01-01T00:00:00.000000');
  say({ state: 'stopped' });
  time.now = 2_000;
  assert.ok(await authenticate('short'));
  const { source } = await opened();
  assert.is(
    await createAuthenticate({ ...source, session: async () => null, now: () => '2031-01-01T00:00:00.000000' })(
      'short',
    ),
    null,
  );
});

test('if the read model is behind and the log is unavailable, keys are looked up in the read model', async () => {
  const { authenticate, say, log } = await opened();
  say({ state: 'failing' });
  log.down = true;
  assert.ok(await authenticate('deploy'));
  assert.is(await authenticate('nobody'), null);
});

test('takeEffect returns the highest position in effect, whatever the position of the read model', async () => {
  const { source, say } = await opened();
  assert.is(source.takeEffect(0n), 4n);
  say({ state: 'stopped' });
  assert.is(source.version(), null);
  assert.is(source.takeEffect(0n), 4n);
  assert.is(source.takeEffect(6n), 6n);
  say({ state: 'live', position: 5n });
  assert.is(source.version(), null, 'it has not passed what is in effect');
  assert.is(source.takeEffect(0n), 6n);
  say({ state: 'live', position: 7n });
  assert.is(source.version(), 7n);
  assert.is(source.takeEffect(0n), 7n);
  say({ state: 'live', position: 6n });
  assert.is(source.version(), null, 'it was built anew, and has gone back');
});

test('a revocation takes effect immediately even if the read model seems to follow the log', async () => {
  const { authenticate, source, revoke } = await opened();
  await revoke();
  assert.ok(await authenticate('deploy'));
  source.takeEffect(5n);
  assert.is(await authenticate('deploy'), null);
});

test.run();
