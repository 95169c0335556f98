import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Caller } from '../../../http/routes/caller.ts';
import { sealedResponses } from '../../../http/routes/sealed-responses.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';

const test = suite('stored responses of repeated requests');

const caller: Caller = {
  actor: { kind: 'api_key', id: 'key1', role: 'editor' },
  organizationId: 'org1',
  limitKey: 'key1',
  userId: null,
  sessionId: null,
  keyId: 'key1',
};
const NOW = Date.parse('2026-11-20T15:00:00Z');
const body = '{"parameters":{"http_request":{"password":"hunter2"}}}';

const stage = () => {
  const coordination = createMemoryCoordination();
  const keys = createMemoryKeys();
  return { coordination, keys, claims: sealedResponses(coordination, keys, caller) };
};

test('a response is stored sealed and returned unchanged', async () => {
  const { coordination, claims } = stage();
  assert.is(await claims.claim('id', 'fingerprint', NOW), null);
  await claims.storeResponse('id', { status: 201, headers: { Location: '/x' }, body });
  const stored = await coordination.claim('id', 'fingerprint', NOW);
  assert.not.match(JSON.stringify(stored), 'hunter2');
  assert.equal((await claims.claim('id', 'fingerprint', NOW))?.answer, {
    status: 201,
    headers: { Location: '/x' },
    body,
  });
});

test('a response without a body can be stored, and unsealed responses that earlier releases stored can still be read', async () => {
  const { coordination, claims } = stage();
  for (const given of ['', body]) {
    const id = `id of ${given}`;
    await coordination.claim(id, 'fingerprint', NOW);
    await coordination.storeResponse(id, { status: 200, headers: {}, body: given });
    assert.is((await claims.claim(id, 'fingerprint', NOW))?.answer?.body, given);
  }
  await claims.claim('empty', 'fingerprint', NOW);
  await claims.storeResponse('empty', { status: 204, headers: {}, body: '' });
  assert.is((await coordination.claim('empty', 'fingerprint', NOW))?.answer?.body, '');
});

test('a stored response is unreadable after the key of its organization was deleted', async () => {
  const { keys, claims } = stage();
  await claims.claim('id', 'fingerprint', NOW);
  await claims.storeResponse('id', { status: 201, headers: {}, body });
  await keys.forget('organization-org1');
  assert.is((await claims.claim('id', 'fingerprint', NOW))?.answer?.body, '{"message":"[forgotten]"}');
});

test.run();
