import type { Request } from 'express';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSealClient } from '../../../http/routes/client.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { rejects } from '../../rejects.ts';

const test = suite('where a request came from is sealed');

const one = {
  actor: { kind: 'api_key', id: 'key1', role: 'editor' },
  sealedUnder: 'api_key-key1',
  organizationId: 'org1',
} as const;

const from = (ip: string | undefined, userAgent?: string): Pick<Request, 'ip' | 'headers'> => ({
  ip,
  headers: userAgent === undefined ? {} : { 'user-agent': userAgent },
});

test('the same origin of the same actor is sealed once', async () => {
  const seal = createSealClient(createMemoryKeys());
  const first = await seal(one, from('127.0.0.1', 'curl/8'));
  assert.equal(await seal(one, from('127.0.0.1', 'curl/8')), first);
  assert.is.not((await seal(one, from('127.0.0.2', 'curl/8'))).userAgent?.sealed, first.userAgent?.sealed);
  assert.is((await seal({ ...one, sealedUnder: 'user-2' }, from('127.0.0.1', 'curl/8'))).clientAddress?.key, 'user-2');
});

test('a long user agent is cut', async () => {
  const keys = createMemoryKeys();
  const { clientAddress, userAgent } = await createSealClient(keys)(one, from('127.0.0.1', 'x'.repeat(9_999)));
  assert.is(
    clientAddress && (await keys.open(clientAddress, { organizationId: 'org1', field: 'client_address' })),
    '127.0.0.1',
  );
  assert.is(userAgent && (await keys.open(userAgent, { organizationId: 'org1', field: 'user_agent' })).length, 500);
});

test('what is not known is left out', async () => {
  assert.equal(await createSealClient(createMemoryKeys())(one, from(undefined)), {});
});

test('of an actor that was forgotten nothing is kept', async () => {
  const keys = createMemoryKeys();
  await createSealClient(keys)(one, from('127.0.0.1'));
  await keys.forget('api_key-key1');
  assert.equal(await createSealClient(keys)(one, from('127.0.0.1', 'curl/8')), {});
});

test('a failure is not remembered', async () => {
  let broken = true;
  const keys = createMemoryKeys();
  const seal = createSealClient({
    seal: async (...given) => {
      if (broken) throw new Error('keys.db is locked');
      return keys.seal(...given);
    },
  });
  await rejects(seal(one, from('127.0.0.1')), Error, 'keys.db is locked');
  broken = false;
  assert.ok((await seal(one, from('127.0.0.1'))).clientAddress);
});

test.run();
