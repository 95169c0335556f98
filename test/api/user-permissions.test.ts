import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAuthenticate } from '../../api/authentication.ts';
import { createApplyRevocations } from '../../api/revocations.ts';
import { createKeySource } from '../../api/key-source.ts';
import { createHandle } from '../../commands/engine/handle.ts';
import { createApiKey, revokeApiKey } from '../../commands/organizations/api-keys.ts';
import { createOrganization } from '../../commands/organizations/organizations.ts';
import type { EventOf, EventType } from '../../domain/event-types.ts';
import { hashOfApiKey } from '../../domain/organization/api-key.ts';
import type { OrganizationEvent } from '../../domain/organization/events.ts';
import { organizationDecider } from '../../domain/organization/state.ts';
import { createStatuses } from '../../projections/engine/status/statuses.ts';
import type { ProjectionStatus } from '../../projections/engine/status/protocol.ts';
import type { ApiKeyDocument, UserDocument } from '../../projections/organizations/documents.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import type { Read } from '../../projections/readers.ts';
import { commandLineContext } from '../../service/command-line.ts';
import { followRevocations } from '../../service/cluster/revocations.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import { ACME, ANN, invited, joined, userRemoved } from '../domain/organization/examples.ts';
import { rejects } from '../rejects.ts';
import { eventually } from '../waiting.ts';

const test = suite('permissions of keys and sessions follow those of their user');

const promotedTo = (role: string, previous: string): EventOf<'UserRoleChanged'> => ({
  type: 'UserRoleChanged',
  data: { organization_id: ACME, user_id: ANN, role, previous },
});

/**
 * Creates an organization with the admin Ann and her key `deploy` with the given role. Each process has its own read
 * model, which contains the user and the key and changes only when the test updates it.
 */
const opened = async (role = 'admin') => {
  const store = createCheckedStore(createMemoryEventStore('main'));
  const handle = createHandle({ store, clock: Date.now });
  const context = commandLineContext(ACME);
  await createOrganization({ handle })({ name: 'Acme' }, context);
  const append = (...events: EventOf<EventType>[]) =>
    handle(ACME, organizationDecider, () => events as OrganizationEvent[], commandLineContext(ACME));
  await append(invited({ role: 'admin' }), joined());
  await append({
    type: 'ApiKeyCreated',
    data: {
      organization_id: ACME,
      api_key_id: 'key000000001',
      name: 'Deploy',
      prefix: 'de',
      hash: hashOfApiKey('deploy'),
      role,
      expires_at: null,
      origin: 'request',
      created_by: ANN,
      created_by_key: null,
      allowed_ips: [],
    },
  });
  await createApiKey({ handle })({ name: 'Other', role: 'admin', key: 'other', expires_at: null }, context);

  /** Starts a process that serves requests, with a read model and authentication of its own. */
  const process = (isTold?: () => boolean) => {
    const document = {
      id: hashOfApiKey('deploy'),
      api_key_id: 'key000000001',
      organization_id: ACME,
      role,
      created_by: ANN,
      expires_at: null,
      allowed_ips: [],
    } as unknown as ApiKeyDocument;
    const user = { id: ANN, organization_id: ACME, role: 'admin', status: 'active' } as UserDocument;
    const read = (() => ({
      api_keys: { get: async (hash: string) => (hash === document.id ? document : null) },
      users: { get: async (id: string) => (id === ANN ? user : null) },
      organizations: { find: async () => [{ id: ACME }] },
    })) as unknown as Read;
    const statuses = createStatuses([organizations]);
    const say = (status: Partial<ProjectionStatus>): void => {
      statuses.receive([{ ...statuses.of('organizations'), error: null, oldest: null, ...status }]);
    };
    say({ state: 'live', position: 5n });
    const log = { down: false };
    const load: typeof handle.load = async (...parameters) => {
      if (log.down) throw new StoreUnavailable('The disk is gone.');
      return handle.load(...parameters);
    };
    const source = createKeySource({ read, statuses, load, from: 0n, ...(isTold && { isInformed: isTold }) });
    const session = async () => ({ sessionId: 'session00001', userId: ANN, organizationId: ACME });
    const authenticate = createAuthenticate({ ...source, session, now: () => '2026-11-20T00:00:00.000000' });
    const roleOf = async (credential: string): Promise<string | null> =>
      (await authenticate(credential))?.actor.role ?? null;
    return { source, authenticate, roleOf, say, log, user };
  };
  return { handle, append, process, revoke: () => revokeApiKey({ handle })('key000000001', commandLineContext(ACME)) };
};

const TOKEN = `uta_${'a'.repeat(43)}`;
const HOW = ['the read model', 'the log'] as const;

for (const how of HOW) {
  test(`a key looked up in ${how} loses the permissions that its user loses, and regains them`, async () => {
    const { append, process } = await opened();
    const { roleOf, say, user } = process();
    const change = async (role: string, previous: string): Promise<void> => {
      await append(promotedTo(role, previous));
      user.role = role;
      say(how === 'the log' ? { state: 'stopped' } : { position: 9n });
      say(how === 'the log' ? {} : { position: 10n });
    };
    assert.is(await roleOf('deploy'), 'admin');
    await change('editor', 'admin');
    assert.is(await roleOf('deploy'), 'editor');
    assert.is(await roleOf(TOKEN), 'editor');
  });

  test(`a key and a session looked up in ${how} are refused when their user is removed`, async () => {
    const { append, process } = await opened();
    const { roleOf, say, user } = process();
    assert.ok((await roleOf('deploy')) && (await roleOf(TOKEN)));
    // The key itself is not revoked here.
    await append(userRemoved);
    user.status = 'disabled';
    say(how === 'the log' ? { state: 'stopped' } : { position: 9n });
    assert.is(await roleOf('deploy'), null);
    assert.is(await roleOf(TOKEN), null);
  });

  test(`a key looked up in ${how} has the lower one of its own role and its user's role, or the role viewer if neither role includes the other`, async () => {
    for (const [role, makers, left] of [
      ['viewer', 'admin', 'viewer'],
      ['editor', 'billing', 'viewer'],
      ['editor', 'auditor', 'auditor'],
    ] as const) {
      const { append, process } = await opened(role);
      await append(promotedTo(makers, 'admin'));
      const { roleOf, say, user } = process();
      user.role = makers;
      if (how === 'the log') say({ state: 'stopped' });
      assert.is(await roleOf('deploy'), left, `${role} of ${makers}`);
    }
  });
}

test('a key whose user belongs to another organization or does not exist is refused', async () => {
  const { process } = await opened();
  const { roleOf, user } = process();
  user.organization_id = 'globex';
  assert.is(await roleOf('deploy'), null);
  assert.is(await roleOf(TOKEN), null);
});

test('a revocation that the read model is known to lack takes effect even if the log is unavailable', async () => {
  const { revoke, process } = await opened();
  const { source, authenticate, log } = process();
  await revoke();
  source.takeEffect(6n);
  log.down = true;
  await rejects(authenticate('deploy'), StoreUnavailable);
  await rejects(authenticate(TOKEN), StoreUnavailable);
});

/** Creates a cluster of two processes that poll for announcements only when the test calls them to. */
const cluster = async () => {
  const stage = await opened();
  const { entries } = createMemoryCoordination();
  const time = { now: 0 };
  const start = async (at: Pick<typeof entries, 'get' | 'put'> = entries) => {
    const announcements = { isTold: () => true };
    const one = stage.process(() => announcements.isTold());
    const looking = await followRevocations({
      entries: at,
      takeEffect: one.source.takeEffect,
      now: () => 1_000_000 + time.now,
      monotonic: () => time.now,
      pollInterval: 1,
    });
    announcements.isTold = looking.isCurrent;
    const giveUp = createApplyRevocations({ ...one.source, ...one.authenticate, announce: looking.announce });
    return { ...one, ...looking, giveUp };
  };
  return { ...stage, entries, time, start };
};

const appendedAt = (type: string, position: bigint) => new Map([['main', new Map([[type, position]])]]);

test('a process applies a revocation before it responds to the request, and another process applies it at its next poll', async () => {
  const { start, revoke } = await cluster();
  const [here, there] = [await start(), await start()];
  assert.is(await here.roleOf('deploy'), 'admin');
  assert.is(await there.roleOf('deploy'), 'admin');
  await revoke();
  assert.is(await there.roleOf('deploy'), 'admin', 'its read model is late, and nobody has told it');
  await here.giveUp(appendedAt('ApiKeyRevoked', 6n));
  assert.is(await here.roleOf('deploy'), null);
  await eventually(async () => (await there.roleOf('deploy')) === null);
  // A process that starts now reads the announcement before its first request.
  const late = await start();
  assert.is(await late.roleOf('deploy'), null);
  await Promise.all([here.stop(), there.stop(), late.stop()]);
});

test('if two revocations are concurrent, the later of their two positions is announced', async () => {
  const { start, entries } = await cluster();
  const [one, other] = [await start(), await start()];
  await Promise.all([one.giveUp(appendedAt('UserRemoved', 7n)), other.giveUp(appendedAt('UserRoleChanged', 6n))]);
  assert.is((await entries.get('given_up', 'main', 1_000_000))?.value, '7');
  await eventually(async () => other.source.takeEffect(0n) === 7n);
  await Promise.all([one.stop(), other.stop()]);
});

test('a process whose polls fail does not trust its read model', async () => {
  const { start, entries, time, revoke } = await cluster();
  let silence: Promise<void> | null = null;
  let end = (): void => undefined;
  const there = await start({
    put: (...parameters) => entries.put(...parameters),
    get: async (...parameters) => {
      await silence;
      return entries.get(...parameters);
    },
  });
  silence = new Promise((resolve) => (end = resolve));
  await revoke();
  assert.is(await there.roleOf('deploy'), 'admin');
  time.now = 1_502;
  assert.is(await there.roleOf('deploy'), null);
  end();
  await there.stop();
});

test('a failed announcement of a revocation is retried', async () => {
  const { start, entries } = await cluster();
  let isDown = false;
  const here = await start({
    get: (...parameters) => entries.get(...parameters),
    put: async (...parameters) => {
      if (isDown) throw new Error('MongoDB does not answer.');
      return entries.put(...parameters);
    },
  });
  isDown = true;
  await rejects(here.giveUp(appendedAt('ApiKeyRevoked', 6n)), Error, 'MongoDB does not answer.');
  assert.is(here.source.takeEffect(0n), 6n, 'here it counts');
  isDown = false;
  await eventually(async () => (await entries.get('given_up', 'main', 1_000_000)) !== null);
  await here.stop();
});

test('a write that revokes nothing announces nothing', async () => {
  const { start, entries } = await cluster();
  const here = await start();
  await here.giveUp(appendedAt('PageCreated', 6n));
  await here.giveUp(appendedAt('SessionEnded', 6n));
  await here.giveUp(new Map([['main', 6n]]));
  assert.is(await entries.get('given_up', 'main', 1_000_000), null);
  await here.stop();
});

test.run();
