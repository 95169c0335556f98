import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventData } from '../../domain/event-types.ts';
import { CLIENT_ADDRESS, USER_AGENT } from '../../domain/event.ts';
import { AUDIT_BATCH_SIZE, exportAudit, listAudit } from '../../queries/audit.ts';
import { audit } from '../../projections/audit/projection.ts';
import { createMemoryKeys } from '../../stores/keys/memory.ts';
import { FORGOTTEN, type MovableKeys } from '../../stores/keys/port.ts';
import { CHECK, checkCreated } from '../domain/check/examples.ts';
import * as people from '../domain/organization/examples.ts';
import { pageCreated } from '../domain/page/examples.ts';
import type { Fact } from '../projections/history.ts';
import { ORGANIZATION, OTHER_ORGANIZATION, scopeOf } from './engine/scope.ts';

const test = suite('queries of the audit log');

const ALL = { page: 1, size: 100 };
const actionsOf = ({ items }: { items: readonly { action: string }[] }): string[] => items.map(({ action }) => action);

test('the audit log lists actions in the organization, newest first, and applies each filter', async () => {
  const scope = scopeOf([pageCreated(), checkCreated()]);
  assert.equal(actionsOf(await listAudit(scope, {}, ALL)), ['check.created', 'page.created']);
  assert.equal(actionsOf(await listAudit(scope, { resource_type: ['page'] }, ALL)), ['page.created']);
  assert.equal(actionsOf(await listAudit(scope, { resource_id: CHECK }, ALL)), ['check.created']);
  assert.equal(actionsOf(await listAudit(scope, { actor_id: 'nobody' }, ALL)), []);
  assert.equal(actionsOf(await listAudit(scope, { end_date: '2026-11-20T15:00:00.000000' }, ALL)), ['page.created']);
  assert.equal(await listAudit({ ...scope, organizationId: OTHER_ORGANIZATION }, {}, ALL), { items: [], total: 0 });
});

test('the audit log shows the client address of a request until its key is deleted', async () => {
  const keys = createMemoryKeys();
  const seal = (text: string, field: string) =>
    keys.seal('api_key-key000000001', text, { organizationId: ORGANIZATION, field });
  const fact: Fact = {
    ...pageCreated(),
    metadata: {
      client_address: await seal('192.0.2.7', CLIENT_ADDRESS),
      user_agent: await seal('curl', USER_AGENT),
    },
  };
  const scope = scopeOf([fact], { keys });
  const from = async () => {
    const [entry] = (await listAudit(scope, {}, ALL)).items;
    return [entry?.ip_address, entry?.user_agent];
  };
  assert.equal(await from(), ['192.0.2.7', 'curl']);
  await keys.forget('api_key-key000000001');
  assert.equal(await from(), [FORGOTTEN, FORGOTTEN]);
});

test('the audit log decrypts parameters of checks unless they are secrets', async () => {
  const keys = createMemoryKeys();
  const seal = (text: string, name: string) =>
    keys.seal(`check-${CHECK}`, text, { organizationId: ORGANIZATION, field: `parameters.http_request.${name}` });
  const http_request = { username: await seal('bob', 'username'), password: await seal('hush', 'password') };
  const [entry] = (await listAudit(scopeOf([checkCreated({ parameters: { http_request } })], { keys }), {}, ALL)).items;
  const shown = JSON.stringify(entry?.changes);
  assert.match(shown, 'bob');
  assert.not.match(shown, 'hush');
});

/** Returns events of a user with really encrypted names, and of actions by that user and by an API key. */
const annsStory = async (keys: MovableKeys): Promise<Fact[]> => {
  const seal = (text: string, field: string) =>
    keys.seal(`user-${people.ANN}`, text, { organizationId: ORGANIZATION, field });
  const ann = { actor: { kind: 'user', id: people.ANN, role: 'admin' } } as const;
  const key = { ...apiKey, created_by: people.ANN };
  const names = { first_name: await seal('Ann', 'first_name'), last_name: await seal('Lee', 'last_name') };
  return [
    people.invited({ email: await seal('ann@example.com', 'email') }),
    { ...people.joined(names), metadata: ann },
    { ...people.sessionStarted, metadata: ann },
    { type: 'ApiKeyCreated', data: key, metadata: ann },
    { ...pageCreated(), metadata: { actor: { kind: 'api_key', id: apiKey.api_key_id, role: 'admin' } } },
    {
      type: 'ApiKeyRevoked',
      data: { organization_id: ORGANIZATION, api_key_id: apiKey.api_key_id, hash: apiKey.hash },
    },
  ];
};

const apiKey: EventData['ApiKeyCreated'] = {
  organization_id: ORGANIZATION,
  api_key_id: 'key00000ann1',
  name: 'deploy',
  prefix: 'upt_',
  hash: 'a'.repeat(64),
  role: 'admin',
  expires_at: null,
  origin: 'request',
  created_by: null,
  created_by_key: null,
  allowed_ips: [],
};

test('the audit log shows the names of users, sessions and keys, and the e-mail addresses of actors', async () => {
  const keys = createMemoryKeys();
  const scope = scopeOf(await annsStory(keys), { keys });
  const shown = async () =>
    (await listAudit(scope, {}, ALL)).items
      .map(({ action, resource_name, actor_email }) => [action, resource_name, actor_email])
      .reverse();
  assert.equal(await shown(), [
    ['user.invited', 'ann@example.com', null],
    ['user.joined', 'Ann Lee', 'ann@example.com'],
    ['session.started', 'Ann Lee', 'ann@example.com'],
    ['api_key.created', 'deploy', 'ann@example.com'],
    ['page.created', 'Acme', 'ann@example.com'],
    ['api_key.revoked', 'deploy', null],
  ]);
  const [joined] = (await listAudit(scope, { action: ['user.joined'] }, ALL)).items;
  assert.equal(joined?.changes['first_name'], { old: null, new: 'Ann' });
  await keys.forget(`user-${people.ANN}`);
  assert.equal((await shown()).slice(0, 4), [
    ['user.invited', FORGOTTEN, null],
    ['user.joined', FORGOTTEN, FORGOTTEN],
    ['session.started', FORGOTTEN, FORGOTTEN],
    ['api_key.created', 'deploy', FORGOTTEN],
  ]);
});

test('the documents of the audit log contain names and e-mail addresses only in encrypted form', async () => {
  const keys = createMemoryKeys();
  const { audit_logs, resource_names } = scopeOf(await annsStory(keys), { keys }).read(audit);
  const all = JSON.stringify([await audit_logs.find({}), await resource_names.find({})]);
  assert.match(all, 'deploy');
  assert.not.match(all, /Ann|Lee|ann@/);
});

test('an export of the audit log contains each entry once, even if many entries have the same time', async () => {
  const count = 3 * AUDIT_BATCH_SIZE + 7;
  const time = (number: number): string =>
    `2026-11-20T15:00:${number < 30 ? '01' : number < count - 30 ? '02' : '03'}.000000`;
  const pageDeleted = (page_id: string): Fact => ({
    type: 'PageDeleted',
    data: { page_id, deleted_at: '2026-11-20T15:00:00.000000' },
  });
  const facts = Array.from({ length: count }, (_, number): Fact => ({
    ...pageDeleted(`page${number}`),
    metadata: { recorded_at: time(number) },
  }));
  const scope = scopeOf(facts);
  const all = async (filters = {}) => {
    const entries = [];
    for await (const page of exportAudit(scope, filters)) {
      assert.ok(page.length <= AUDIT_BATCH_SIZE);
      entries.push(...page);
    }
    return entries;
  };
  const entries = await all();
  assert.is(new Set(entries.map(({ id }) => id)).size, count);
  assert.is(entries.length, count);
  const times = entries.map(({ created_at }) => created_at);
  assert.equal(times, [...times].sort().reverse());
  assert.is((await all({ end_date: time(0) })).length, 30);
  assert.is((await all({ resource_id: 'page5' })).length, 1);
  assert.is((await all({ start_date: time(count) })).length, 30);
  // The export excludes entries that were made after it began.
  scope.now = time(40);
  assert.is((await all()).length, count - 30);
});

test.run();
