import type { Request } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSealOrigin } from '../../../http/routes/request-origin.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { rejects } from '../../rejects.ts';

const test = suite('sealing the client address and the user agent of a request');

const NOW = '2026-11-20T15:00:00.000000';
const KEY = 'clients-org1-2026-11';

const one = {
  actor: { kind: 'api_key', id: 'key1', role: 'editor' },
  organizationId: 'org1',
} as const;

const from = (ip: string | undefined, userAgent?: string): Pick<Request, 'ip' | 'headers'> => ({
  ip,
  headers: userAgent === undefined ? {} : { 'user-agent': userAgent },
});

test('the client address and the user agent of an actor are sealed once and then cached', async () => {
  const seal = createSealOrigin(createMemoryKeys());
  const first = await seal(one, from('127.0.0.1', 'curl/8'), NOW);
  assert.is(first.clientAddress?.key, KEY);
  assert.equal(await seal(one, from('127.0.0.1', 'curl/8'), NOW), first);
  assert.is.not((await seal(one, from('127.0.0.2', 'curl/8'), NOW)).userAgent?.sealed, first.userAgent?.sealed);
});

test('client addresses are sealed separately for each actor, so the stored texts do not reveal that two actors share an address', async () => {
  const seal = createSealOrigin(createMemoryKeys());
  const first = await seal(one, from('127.0.0.1'), NOW);
  const other = { ...one, actor: { ...one.actor, id: 'key2' } };
  assert.is.not((await seal(other, from('127.0.0.1'), NOW)).clientAddress?.sealed, first.clientAddress?.sealed);
});

test('the key that seals client addresses changes with the UTC month, even if a sealed address is cached', async () => {
  const seal = createSealOrigin(createMemoryKeys());
  const last = await seal(one, from('127.0.0.1'), '2026-11-30T23:59:59.999999');
  const next = await seal(one, from('127.0.0.1'), '2026-12-01T00:00:00.000000');
  assert.equal([last.clientAddress?.key, next.clientAddress?.key], [KEY, 'clients-org1-2026-12']);
});

test('a long user agent is truncated before it is sealed', async () => {
  const keys = createMemoryKeys();
  const { clientAddress, userAgent } = await createSealOrigin(keys)(one, from('127.0.0.1', 'x'.repeat(9_999)), NOW);
  assert.is(
    clientAddress && (await keys.open(clientAddress, { organizationId: 'org1', field: 'client_address' })),
    '127.0.0.1',
  );
  assert.is(userAgent && (await keys.open(userAgent, { organizationId: 'org1', field: 'user_agent' })).length, 500);
});

test('an unknown client address or user agent is not stored', async () => {
  assert.equal(await createSealOrigin(createMemoryKeys())(one, from(undefined), NOW), {});
});

test('no client address or user agent is stored if the key of the current month was deleted', async () => {
  const keys = createMemoryKeys();
  await createSealOrigin(keys)(one, from('127.0.0.1'), NOW);
  await keys.forget(KEY);
  assert.equal(await createSealOrigin(keys)(one, from('127.0.0.1', 'curl/8'), NOW), {});
});

test('a failure to seal a client address is not cached', async () => {
  let broken = true;
  const keys = createMemoryKeys();
  const seal = createSealOrigin({
    seal: async (...given) => {
      if (broken) throw new Error('keys.db is locked');
      return keys.seal(...given);
    },
  });
  await rejects(seal(one, from('127.0.0.1'), NOW), Error, 'keys.db is locked');
  broken = false;
  assert.ok((await seal(one, from('127.0.0.1'), NOW)).clientAddress);
});

test.run();
