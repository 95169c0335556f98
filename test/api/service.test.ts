import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPage } from '../../commands/pages/pages.ts';
import { createApiKey, revokeApiKey } from '../../commands/organizations/api-keys.ts';
import { repeatableRequest } from '../../http/routes/idempotency.ts';
import { commandContext } from '../../commands/engine/context.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { instantOf } from '../../domain/time.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import { startService } from './service.ts';

const test = suite('the API as a whole');
const service = await startService();
const { first, second, commands, readers } = service;
test.after(() => service.stop());

const contextOf = (organizationId: string, commandId: string, actor = 'test') =>
  commandContext({
    actor: { kind: 'api_key', id: actor, role: 'admin' },
    organizationId,
    correlationId: 'test',
    commandId,
    repeatable: true,
    now: instantOf(service.time.now),
  });

/** Returns the id of an API key of the first organization by its name. */
const idOfKey = async (prefix: string): Promise<string> => {
  const read = readers.for({ appended: new Map() });
  const [key] = await read(organizations).api_keys.find({ where: { organization_id: first.id, name: prefix } });
  return key?.api_key_id ?? '';
};

test('every part of the service is ready', async () => {
  const reply = await service.request('GET', '/health/ready', { key: null });
  assert.is(reply.status, 200, reply.text);
});

test('valid keys of both organizations and all roles are accepted, and no other keys', async () => {
  for (const { keys } of [first, second]) {
    for (const [role, key] of Object.entries(keys)) {
      const reply = await service.request('GET', '/v1/audit', { key });
      assert.is(reply.status, role === 'admin' || role === 'billing' ? 200 : 403, role);
    }
  }
  assert.is((await service.request('GET', '/v1/audit', { key: 'no such key' })).status, 401);
});

test('a revoked key is refused as soon as the read model contains its revocation', async () => {
  const made = contextOf(first.id, derivedUuid('make'));
  const key = 'key-for-a-while';
  const id = await commands.bind(createApiKey)({ name: 'For a while', role: 'viewer', expires_at: null, key }, made);
  await readers.waitFor(['organizations'], made);
  for (let request = 0; request < 2; request++) {
    assert.is((await service.request('GET', '/v1/pages', { key })).status, 200);
  }
  const revoked = contextOf(first.id, derivedUuid('revoke'));
  await commands.bind(revokeApiKey)(id, revoked);
  await readers.waitFor(['organizations'], revoked);
  assert.is((await service.request('GET', '/v1/pages', { key })).status, 401);
});

test('the request id is in the events of the request', async () => {
  const reply = await service.request('POST', '/v1/pages', {
    body: { name: 'Traced' },
    headers: { 'x-request-id': 'trace-1' },
  });
  const { id } = reply.json() as { id: string };
  const [event] = await service.stores.main.readStream(`page-${id}`);
  assert.is(event?.metadata.$correlationId, 'trace-1');
});

test('a request whose process died after the write is found by its Idempotency-Key and not performed again', async () => {
  const key = 'died-in-between';
  const body = JSON.stringify({ name: 'Once only' });
  const keyId = await idOfKey('editor');
  const sent = { method: 'POST', path: '/v1/pages', search: '', body: Buffer.from(body) };
  const { commandName } = repeatableRequest(key, keyId, sent);
  const context = contextOf(first.id, derivedUuid(commandName), keyId);
  const pageId = await commands.bind(createPage)({ name: 'Once only' }, context);

  const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
  const reply = await service.request('POST', '/v1/pages', { body, headers });
  assert.is(reply.status, 200);
  assert.is((reply.json() as { id: string }).id, pageId);
  assert.is(reply.headers['idempotent-replayed'], undefined);
  const list = await service.request('GET', '/v1/pages?page_size=100');
  const { pages } = list.json() as { pages: { name: string }[] };
  assert.is(pages.filter(({ name }) => name === 'Once only').length, 1);
});

test.run();
