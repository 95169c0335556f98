import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { streamOf } from '../../domain/decider.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { hashOfApiKey, prefixOfApiKey } from '../../domain/organization/api-key.ts';
import { instantOf } from '../../domain/time.ts';
import { recordAppended, type Appended } from '../../commands/engine/appended-positions.ts';
import { startService } from './service.ts';

const test = suite('API keys with a role of a later release');

const service = await startService();
const { first, stores, readers } = service;
test.after(() => service.stop());

const KEY = 'a-key-that-a-later-release-has-made';
const id = derivedUuid('a later release');

/** Stores the key in the log as a later release would. */
const create = async (): Promise<void> => {
  const event = {
    id,
    type: 'ApiKeyCreated',
    data: {
      organization_id: first.id,
      api_key_id: 'laterkey0000',
      name: 'Auditors',
      prefix: prefixOfApiKey(KEY),
      hash: hashOfApiKey(KEY),
      role: 'auditor',
      expires_at: null,
      origin: 'request',
      created_by: null,
      created_by_key: null,
      allowed_ips: [],
    },
    metadata: {
      $correlationId: id,
      $causationId: id,
      command_id: id,
      actor: { kind: 'user', id: 'user00000001', role: 'owner' },
      organization_id: first.id,
      recorded_at: instantOf(Date.now()),
      schema_version: 3,
    },
  } as const;
  const { position } = await stores.main.append(streamOf('organization', first.id), [event], 'any');
  const appended: Appended = new Map();
  recordAppended(appended, 'main', [event], position);
  await readers.waitFor(['organizations', 'audit'], { appended });
};
await create();

test('a key with an unknown role is authenticated but has no permissions', async () => {
  for (const [method, path] of [
    ['GET', '/v1/pages'],
    ['POST', '/v1/pages'],
    ['GET', '/v1/audit'],
    ['GET', '/v1/component-statuses'],
  ] as const) {
    assert.is((await service.request(method, path, { key: KEY })).status, 403, `${method} ${path}`);
  }
});

test('a key with an unknown role has the access of a visitor on public routes', async () => {
  assert.is((await service.request('GET', '/v1/pages/get-templates', { key: KEY })).status, 200);
  const page = { name: 'Team', subdomain: 'team', viewers_must_be_team_members: true };
  assert.is((await service.request('POST', '/v1/pages', { body: page })).status, 200);
  const path = '/v1/pages/by-domain/team';
  assert.is((await service.request('GET', path)).status, 200);
  assert.is((await service.request('GET', path, { key: KEY })).status, 404);
});

test('a key with an unknown role cannot read metrics', async () => {
  const headers = { 'x-forwarded-for': '127.0.0.9' };
  assert.is((await service.request('GET', '/metrics', { key: KEY, headers })).status, 403);
  assert.is((await service.request('GET', '/metrics', { key: first.keys.viewer, headers })).status, 200);
});

test('the audit log shows the unknown role of a key unchanged', async () => {
  const reply = await service.request('GET', '/v1/audit?resource_id=laterkey0000', { key: first.keys.admin });
  const { audit_logs: entries } = reply.json() as { audit_logs: { changes: Record<string, unknown> }[] };
  assert.equal(entries[0]?.changes['role'], { old: null, new: 'auditor' });
});

test.run();
