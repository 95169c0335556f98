import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commandContext } from '../../commands/engine/context.ts';
import {
  confirmToken,
  createRunner,
  recordRunnerConnection,
  recordRunnerDisconnection,
  releaseRegion,
  revokeRunner,
} from '../../commands/runners.ts';
import { regionOf, type LiveRunners, type RegisteredRunner } from '../../domain/check/regions.ts';
import { Forbidden, IllegalState, NotFound } from '../../domain/errors.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { rejects } from '../rejects.ts';
import { aContext, startProcess } from './simulated-processes.ts';

const test = suite('commands on remote runners');

const WEST = regionOf('eu-west1') ?? null;

const opened = () => {
  const store = createMemoryEventStore('main');
  const registered: RegisteredRunner[] = [];
  const runners = { abilities: async () => new Map(), registered: async () => registered } as unknown as LiveRunners;
  const { bind } = startProcess(store, { runners }).commands;
  const create = async (region = WEST) => (await bind(createRunner)({ name: 'Office', region }, true, aContext())).id;
  return { store, registered, ask: bind, create };
};

const typesOf = async (store: EventStore, id: string): Promise<string[]> =>
  (await store.readStream(`runner-${id}`, { from: 0n, limit: 100 })).map(({ type }) => type);

test('another runner of a private location is created only if the organization has an unrevoked runner in that location', async () => {
  const { ask, registered, create } = opened();
  const location = regionOf('private-a1b2c3d4e5f6') ?? null;
  await rejects(create(location), IllegalState, 'There is no region "private-a1b2c3d4e5f6".');
  registered.push({ id: 'a1b2c3d4e5f6', region: 'private-a1b2c3d4e5f6' });
  await create(location);
  await rejects(ask(createRunner)({ name: 'x', region: WEST }, false, aContext()), Forbidden);
});

test('concurrent creations of runners by an organization do not exceed the limit', async () => {
  const { store, registered, ask } = opened();
  registered.push(...Array.from({ length: 48 }, (_, n) => ({ id: n.toString(), region: 'EU, West' })));
  const create = async (): Promise<boolean> => {
    try {
      const { id } = await ask(createRunner)({ name: 'Office', region: null }, false, aContext());
      registered.push({ id, region: `private-${id}` });
      return true;
    } catch (error) {
      if (!(error instanceof Forbidden)) throw error;
      return false;
    }
  };
  const made = await Promise.all(Array.from({ length: 5 }, create));
  assert.is(made.filter(Boolean).length, 2);
  assert.is((await store.readAll({ after: 0n, limit: 100 })).length, 2);
});

test('each connection of a runner and the end of the connection are stored once, with the sealed address of the runner', async () => {
  const { store, ask, create } = opened();
  const id = await create();
  const connecting = { instance: 'one', release: '0.1.0', types: ['web'] };
  const clientAddress = { key: 'clients', sealed: 'c2VhbGVk' };
  const context = () => commandContext({ ...aContext(), appended: new Map(), clientAddress });
  await Promise.all([1, 2, 3].map(() => ask(recordRunnerConnection)(id, connecting, context())));
  await ask(recordRunnerDisconnection)(id, 'one', 'silent', context());
  await ask(recordRunnerDisconnection)(id, 'one', 'stopped', context());
  await ask(confirmToken)(id, 'a'.repeat(64), context());
  assert.equal(await typesOf(store, id), ['RunnerCreated', 'RunnerConnected', 'RunnerDisconnected']);
  const [, connected] = await store.readStream(`runner-${id}`, { from: 0n, limit: 100 });
  assert.equal(connected?.metadata.client_address, clientAddress);
  await ask(revokeRunner)(id, aContext());
  await rejects(ask(recordRunnerConnection)(id, connecting, context()), NotFound);
});

test('a region is released completely or not at all', async () => {
  const { store, ask, create } = opened();
  const [one, other] = [await create(), await create()];
  await ask(revokeRunner)(one, aContext());
  await rejects(
    ask(releaseRegion)([one, other], { revoke: false }, aContext()),
    IllegalState,
    `The region has runners that are not revoked: "Office" (${other}). Revoke them first.`,
  );
  assert.equal(await typesOf(store, one), ['RunnerCreated', 'RunnerRevoked']);
  await ask(releaseRegion)([one, other], { revoke: true }, aContext());
  for (const id of [one, other]) {
    assert.equal(await typesOf(store, id), ['RunnerCreated', 'RunnerRevoked', 'RunnerReleased']);
  }
});

test('runners of other organizations are not found', async () => {
  const { ask, create } = opened();
  const id = await create();
  const theirs = () => commandContext({ ...aContext(), appended: new Map(), organizationId: 'globex' });
  await rejects(ask(revokeRunner)(id, theirs()), NotFound);
  await rejects(ask(releaseRegion)([id], { revoke: true }, theirs()), NotFound);
});

test.run();
