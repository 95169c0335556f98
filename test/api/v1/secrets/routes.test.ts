import type { Static } from '@sinclair/typebox';
import { hash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../api/v1/checks/schema.ts';
import type { Secret as SecretSchema, SecretBinding } from '../../../../api/v1/secrets/schema.ts';
import { instantOf } from '../../../../domain/time.ts';
import { projections } from '../../../../projections/index.ts';
import { StoreUnavailable } from '../../../../stores/event-store/port.ts';
import type { Reply } from '../../http.ts';
import { signInAs } from '../../users.ts';
import { startService, type ServiceRequest } from '../../service.ts';

type Secret = Static<typeof SecretSchema> & { secret_value?: string };
type Binding = Static<typeof SecretBinding>;

const NOW = Date.UTC(2026, 10, 20, 15, 4, 5, 123);
const VALUE = 'correct horse battery staple';
const test = suite('secrets');
const service = await startService({ now: NOW });
const { first, second, request, stores, coordination } = service;
test.after(() => service.stop());

const WEB = { type: 'web', url: 'https://shop.example/', interval: 60 };
let made = 0;
const name = (): string => `TOKEN_${made++}`;
const theirs = second.keys.admin;

const post = (body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  request('POST', '/v1/secrets', { ...ask, body });
const make = async (body: object = {}, ask: ServiceRequest = {}): Promise<Secret> => {
  const reply = await post({ secret_name: name(), secret_value: VALUE, ...body }, ask);
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Secret;
};
const get = (id: string, ask: ServiceRequest = {}): Promise<Reply> => request('GET', `/v1/secrets/${id}`, ask);
const patch = (id: string, body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  request('PATCH', `/v1/secrets/${id}`, { ...ask, body });
const remove = (id: string, ask: ServiceRequest = {}): Promise<Reply> => request('DELETE', `/v1/secrets/${id}`, ask);

const postCheck = (body: object = {}, ask: ServiceRequest = {}): Promise<Reply> =>
  request('POST', '/v1/checks', { ...ask, body: { name: 'Shop', ...WEB, ...body } });
const makeCheck = async (body: object = {}, ask: ServiceRequest = {}): Promise<Check> => {
  const reply = await postCheck(body, ask);
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Check;
};
const bindings = async ({ id }: { id: string }): Promise<Binding[]> =>
  (await request('GET', `/v1/checks/${id}/secrets`)).json() as Binding[];
const bind = (check: { id: string }, body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  request('POST', `/v1/checks/${check.id}/secrets`, { ...ask, body });
const put = (check: { id: string }, body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  request('PUT', `/v1/checks/${check.id}/secrets`, { ...ask, body });
const unbind = (check: { id: string }, secretId: string, ask: ServiceRequest = {}): Promise<Reply> =>
  request('DELETE', `/v1/checks/${check.id}/secrets/${secretId}`, ask);

const errorsOf = (reply: Reply): Record<string, string[]> =>
  (reply.json() as { errors: { json: Record<string, string[]> } }).errors.json;
const messageOf = (reply: Reply): string => (reply.json() as { message: string }).message;
const auditOf = async (id: string, ask: ServiceRequest = {}) =>
  (
    (await request('GET', `/v1/audit?resource_id=${id}`, { key: first.keys.admin, ...ask })).json() as {
      audit_logs: { action: string; actor_type: string; resource_name: string; ip_address: string; changes: object }[];
    }
  ).audit_logs;
const typesOf = async (stream: string): Promise<string[]> =>
  (await stores.main.readStream(stream)).map(({ type }) => type);

test('the value of a secret is contained only in responses to reads of that secret', async () => {
  const secret_name = name();
  const reply = await post({ secret_name, secret_value: VALUE });
  assert.is(reply.status, 201);
  const { id, created_by } = reply.json() as Secret;
  assert.is(reply.headers['location'], `/v1/secrets/${id}`);
  const shown = {
    id,
    secret_name,
    managed_by: null,
    created_by,
    updated_by: created_by,
    created_at: instantOf(NOW),
    updated_at: instantOf(NOW),
    revision: 1,
  };
  assert.equal(reply.json(), shown);
  const read = await get(id);
  assert.equal(read.json(), { ...shown, secret_value: VALUE });
  assert.is(read.headers['cache-control'], 'no-store');
});

test('values of secrets are returned unchanged, with any characters', async () => {
  for (const value of [
    ' ',
    '0',
    '********',
    '[forgotten]x',
    'a\nb\r\n\t"\\',
    '🔑 ключ',
    'x'.repeat(32_768),
    'я'.repeat(16_384),
  ]) {
    const { id } = await make({ secret_value: value });
    assert.is(((await get(id)).json() as Secret).secret_value, value);
  }
});

test('the value of a secret is required and has at most 32 KiB', async () => {
  const tooLong = ['Must have at most 32768 bytes as UTF-8.'];
  const errorsFor = async (body: object) => {
    const reply = await post({ secret_name: name(), ...body });
    assert.is(reply.status, 422, reply.text);
    return errorsOf(reply);
  };
  assert.equal(await errorsFor({}), { secret_value: ['Missing required field.'] });
  assert.equal(await errorsFor({ secret_value: '' }), { secret_value: ['Must not be empty.'] });
  assert.equal(await errorsFor({ secret_value: null }), { secret_value: ['Must be a string.'] });
  assert.equal(await errorsFor({ secret_value: 7 }), { secret_value: ['Must be a string.'] });
  assert.equal(await errorsFor({ secret_value: 'x'.repeat(32_769) }), { secret_value: tooLong });
  assert.equal(await errorsFor({ secret_value: 'я'.repeat(16_385) }), { secret_value: tooLong });
  assert.equal(await errorsFor({ secret_value: 'a\0b' }), {
    secret_value: ['Must be Unicode text without NUL characters.'],
  });
});

test('an error does not repeat the value of a secret', async () => {
  const reply = await post({ secret_name: 'a b', secret_value: VALUE });
  assert.is(reply.status, 422);
  assert.equal(Object.keys(errorsOf(reply)), ['secret_name']);
  assert.not.match(reply.text, VALUE);
});

test('names of secrets have a fixed format and are unique in the organization', async () => {
  for (const secret_name of ['', '1a', 'a b', 'a/b', 'ключ', 'a'.repeat(101)]) {
    const reply = await post({ secret_name, secret_value: VALUE });
    assert.is(reply.status, 422, secret_name);
    assert.match(errorsOf(reply)['secret_name']?.[0] ?? '', 'Must have at most 100 letters');
  }
  const { secret_name, id } = await make({ secret_name: `shop.login-password_${'a'.repeat(80)}` });
  const again = await post({ secret_name, secret_value: 'other' });
  assert.is(again.status, 409);
  assert.equal(errorsOf(again), { secret_name: ['Is taken.'] });
  await make({ secret_name }, { key: theirs });
  assert.is((await remove(id)).status, 204);
  await make({ secret_name });
});

test('of many concurrent creations of secrets with the same name, one succeeds', async () => {
  const body = { secret_name: name(), secret_value: VALUE };
  const replies = await Promise.all(Array.from({ length: 8 }, () => post(body)));
  assert.equal(replies.map(({ status }) => status).sort(), [201, ...Array.from({ length: 7 }, () => 409)]);
});

test('secrets are listed for every role, newest first and without values', async () => {
  const key = (await signInAs(service, second.id, 'editor')).token;
  const names = [name(), name(), name()];
  const before = ((await request('GET', '/v1/secrets', { key })).json() as { secrets: Secret[] }).secrets.length;
  for (const secret_name of names) {
    service.time.now += 1;
    await make({ secret_name }, { key });
  }
  for (const who of [second.keys.viewer, second.keys.billing, second.keys.editor, second.keys.admin]) {
    const reply = await request('GET', '/v1/secrets?page_size=2', { key: who });
    const { secrets, pagination } = reply.json() as { secrets: Secret[]; pagination: Record<string, unknown> };
    assert.equal(
      secrets.map(({ secret_name }) => secret_name),
      names.toReversed().slice(0, 2),
    );
    assert.is(pagination['total_items'], 3 + before);
    assert.not.match(reply.text, /secret_value|correct horse/);
  }
});

test('the user who created or changed a secret is shown', async () => {
  const [ann, ben] = [await signInAs(service, first.id, 'editor'), await signInAs(service, first.id, 'editor')];
  const secret = await make({}, { key: ann.token });
  service.time.now += 1_000;
  const changed = (await patch(secret.id, { secret_value: 'x' }, { key: ben.token })).json() as Secret;
  assert.equal([changed.created_by, changed.updated_by], [ann.userId, ben.userId]);
  assert.ok(changed.updated_at > secret.updated_at);
});

test('only editors and admins get the value of a secret, and each read is in the audit log', async () => {
  const secret = await make();
  for (const role of ['viewer', 'billing'] as const) {
    const reply = await get(secret.id, { key: first.keys[role] });
    assert.equal(reply.json(), secret);
  }
  assert.equal(
    (await auditOf(secret.id)).map(({ action }) => action),
    ['secret.created'],
  );
  for (const role of ['editor', 'admin'] as const) {
    service.time.now += 1;
    const headers = { 'user-agent': 'curl' };
    assert.is(((await get(secret.id, { key: first.keys[role], headers })).json() as Secret).secret_value, VALUE);
  }
  const entries = await auditOf(secret.id);
  assert.equal(
    entries.map(({ action }) => action),
    ['secret.value_read', 'secret.value_read', 'secret.created'],
  );
  const [entry] = entries;
  assert.equal(
    [entry?.actor_type, entry?.resource_name, entry?.ip_address, entry?.changes],
    ['api_key', secret.secret_name, '127.0.0.1', {}],
  );
});

test('the value of a secret is not shown if the read cannot be recorded', async () => {
  const secret = await make();
  const append = stores.main.append.bind(stores.main);
  stores.main.append = () => Promise.reject(new StoreUnavailable('The disk is full.'));
  try {
    const reply = await get(secret.id);
    assert.is(reply.status, 503);
    assert.not.match(reply.text, VALUE);
    assert.is((await get(secret.id, { key: first.keys.viewer })).status, 200);
  } finally {
    stores.main.append = append;
  }
});

test('a conditional request for a secret is recorded in the audit log too', async () => {
  const secret = await make();
  const { etag = '' } = (await get(secret.id)).headers;
  assert.is((await get(secret.id, { headers: { 'if-none-match': etag } })).status, 304);
  assert.is((await request('HEAD', `/v1/secrets/${secret.id}`)).status, 200);
  assert.is((await typesOf(`secret-${secret.id}`)).filter((type) => type === 'SecretValueRead').length, 3);
});

test('the response to a change of a secret contains the sent value', async () => {
  const secret = await make();
  service.time.now += 1_000;
  const changed = await patch(secret.id, { secret_value: 'another one' });
  assert.is(changed.status, 200);
  const changes = { revision: 2, updated_at: instantOf(service.time.now), secret_value: 'another one' };
  assert.equal(changed.json(), { ...secret, ...changes });
  assert.is(((await get(secret.id)).json() as Secret).secret_value, 'another one');
  const whole = { ...((await get(secret.id)).json() as Secret), secret_value: 'a third' };
  assert.is((await request('PUT', `/v1/secrets/${secret.id}`, { body: whole })).status, 200);
  const [last] = (await auditOf(secret.id)).filter(({ action }) => action === 'secret.updated');
  assert.equal(last?.changes, { secret_value: { old: '********', new: '********' } });
});

test('the name of a secret cannot be changed', async () => {
  const secret = await make();
  const reply = await patch(secret.id, { secret_name: 'OTHER', secret_value: 'x' });
  assert.is(reply.status, 422);
  assert.equal(errorsOf(reply), { secret_name: ["A secret's name can't be changed."] });
  assert.is((await patch(secret.id, { secret_name: secret.secret_name, secret_value: 'x' })).status, 200);
  assert.equal(errorsOf(await patch(secret.id, {})), { secret_value: ['Missing required field.'] });
  const unseen = (await get(secret.id, { key: first.keys.viewer })).json() as Secret;
  const back = await patch(secret.id, unseen);
  assert.equal([back.status, (back.json() as Secret).secret_value], [200, undefined]);
  assert.is(((await get(secret.id)).json() as Secret).secret_value, 'x');
});

test('viewers read names and bindings of secrets, and write nothing', async () => {
  const [secret, check] = [await make(), await makeCheck()];
  for (const key of [first.keys.viewer, first.keys.billing]) {
    assert.is((await post({ secret_name: name(), secret_value: 'x' }, { key })).status, 403);
    assert.is((await patch(secret.id, { secret_value: 'x' }, { key })).status, 403);
    assert.is((await remove(secret.id, { key })).status, 403);
    assert.is((await bind(check, { secret_id: secret.id, env_variable: 'A' }, { key })).status, 403);
    assert.is((await put(check, [], { key })).status, 403);
    assert.is((await unbind(check, secret.id, { key })).status, 403);
    assert.is((await request('GET', `/v1/checks/${check.id}/secrets`, { key })).status, 200);
  }
});

test('secrets of another organization are not found and cannot be bound', async () => {
  const [secret, check] = [await make(), await makeCheck({}, { key: theirs })];
  const ask = { key: theirs };
  for (const reply of [
    await get(secret.id, ask),
    await patch(secret.id, { secret_value: 'x' }, ask),
    await remove(secret.id, ask),
  ]) {
    assert.is(reply.status, 404);
  }
  const named = { secret_id: secret.id, env_variable: 'TOKEN' };
  const message = ['There is no such secret.'];
  assert.equal(errorsOf(await bind(check, named, ask)), { secret_id: message });
  assert.equal(errorsOf(await put(check, [named], ask)), { '0.secret_id': message });
  assert.equal(errorsOf(await postCheck({ secrets: [named] }, ask)), { 'secrets.0.secret_id': message });
  const own = await make({}, ask);
  assert.equal(errorsOf(await put(check, [{ secret_id: own.id, env_variable: 'A' }, named], ask)), {
    '1.secret_id': message,
  });
  const mine = await makeCheck();
  assert.is((await bind(mine, { secret_id: own.id, env_variable: 'A' })).status, 422);
  assert.is((await bind(mine, named, ask)).status, 404);
  assert.equal(await typesOf(`secret-${secret.id}`), ['SecretCreated']);
  assert.equal(await typesOf(`secret-${own.id}`), ['SecretCreated']);
});

test('a check shows the secrets that it is bound to', async () => {
  const [secret, check] = [await make(), await makeCheck()];
  service.time.now += 1_000;
  const reply = await bind(check, { secret_id: secret.id, env_variable: 'TOKEN' });
  assert.is(reply.status, 201, reply.text);
  assert.is(reply.headers['location'], `/v1/checks/${check.id}/secrets`);
  const { id } = reply.json() as Binding;
  const binding = {
    id,
    secret_id: secret.id,
    env_variable: 'TOKEN',
    secret: { id: secret.id, secret_name: secret.secret_name },
    created_at: instantOf(service.time.now),
  };
  assert.equal(reply.json(), binding);
  assert.equal(await bindings(check), [binding]);
  const shown = (await request('GET', `/v1/checks/${check.id}`)).json() as Check;
  assert.equal(shown.secrets, [binding]);
  assert.is(shown.updated_at, instantOf(service.time.now));
  const listed = (await request('GET', '/v1/checks?page_size=100')).json() as { checks: Check[] };
  assert.equal(listed.checks.find((one) => one.id === check.id)?.secrets, [binding]);
  assert.is((await unbind(check, secret.id)).status, 204);
  assert.equal(await bindings(check), []);
  assert.is((await unbind(check, secret.id)).status, 404);
  assert.is((await get(secret.id)).status, 200);
});

test('a secret can be bound once to a check, with its own environment variable', async () => {
  const [one, other, check] = [await make(), await make(), await makeCheck()];
  await bind(check, { secret_id: one.id, env_variable: 'TOKEN' });
  const twice = await bind(check, { secret_id: one.id, env_variable: 'OTHER' });
  assert.is(twice.status, 409);
  assert.equal(errorsOf(twice), { secret_id: ['Is already bound.'] });
  const conflict = await bind(check, { secret_id: other.id, env_variable: 'TOKEN' });
  assert.is(conflict.status, 409);
  assert.equal(errorsOf(conflict), { env_variable: ['Is taken.'] });
  assert.is((await bind(check, { secret_id: other.id, env_variable: 'token' })).status, 201);
});

test('of many concurrent requests to bind a secret, one succeeds', async () => {
  const [secret, check] = [await make(), await makeCheck()];
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, n) => bind(check, { secret_id: secret.id, env_variable: `TOKEN_${n}` })),
  );
  assert.equal(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409]);
  assert.is((await bindings(check)).length, 1);
});

test('environment variables of bindings have a fixed format, and some are reserved', async () => {
  const [secret, check] = [await make(), await makeCheck()];
  const form = 'Must have at most 100 letters, digits and underscores, and begin with a letter or an underscore.';
  for (const [env_variable, sentence] of [
    ['1A', form],
    ['a-b', form],
    ['', form],
    ['A'.repeat(101), form],
    ['PATH', 'Is reserved.'],
    ['NODE_OPTIONS', 'Is reserved.'],
    ['LD_PRELOAD', 'Is reserved.'],
    ['__proto__', 'Is reserved.'],
  ] as const) {
    const named = { secret_id: secret.id, env_variable };
    for (const [reply, field] of [
      [await bind(check, named), 'env_variable'],
      [await put(check, [named]), '0.env_variable'],
      [await postCheck({ secrets: [named] }), 'secrets.0.env_variable'],
    ] as const) {
      assert.is(reply.status, 422, env_variable);
      assert.equal(errorsOf(reply), { [field]: [sentence] }, env_variable);
    }
  }
  assert.is((await bind(check, { secret_id: secret.id, env_variable: 'constructor' })).status, 201);
});

test('the error for bindings names all invalid fields', async () => {
  const [secret, check] = [await make(), await makeCheck()];
  assert.equal(errorsOf(await bind(check, {})), {
    secret_id: ['Missing required field.'],
    env_variable: ['Missing required field.'],
  });
  assert.equal(errorsOf(await bind(check, { secret_id: 'nosuchsecret', env_variable: 'PATH' })), {
    secret_id: ['There is no such secret.'],
    env_variable: ['Is reserved.'],
  });
  const twice = [
    { secret_id: secret.id, env_variable: 'A' },
    { secret_id: secret.id, env_variable: 'B' },
    { secret_id: 'x', env_variable: 'A' },
    7,
  ];
  const expected = {
    '1.secret_id': ['Must be given once.'],
    '2.secret_id': ['Must be an identifier.'],
    '2.env_variable': ['Must be given once.'],
    '3': ['Must be an object.'],
  };
  assert.equal(errorsOf(await put(check, twice)), expected);
  const reply = await postCheck({ name: '', secrets: twice });
  assert.equal(errorsOf(reply), {
    name: ['Must not be empty.'],
    ...Object.fromEntries(Object.entries(expected).map(([field, message]) => [`secrets.${field}`, message])),
  });
  assert.equal(errorsOf(await put(check, {})), { _schema: ['Must be an array.'] });
  const many = Array.from({ length: 101 }, (_, n) => ({
    secret_id: n.toString().padStart(12, '0'),
    env_variable: `A${n}`,
  }));
  assert.equal(errorsOf(await put(check, many))['_schema'], ['Must have at most 100 items.']);
  assert.equal(await bindings(check), []);
});

test('all bindings of a check are replaced together, in the order of the request', async () => {
  const [a, b, c] = [await make(), await make(), await make()];
  const check = await makeCheck({
    secrets: [
      { secret_id: a.id, env_variable: 'A' },
      { secret_id: b.id, env_variable: 'B' },
    ],
  });
  assert.equal(
    check.secrets.map(({ env_variable }) => env_variable),
    ['A', 'B'],
  );
  // The two secrets swap their variables.
  const swapped = await put(check, [
    { secret_id: b.id, env_variable: 'A' },
    { secret_id: a.id, env_variable: 'B' },
    { secret_id: c.id, env_variable: 'C' },
  ]);
  assert.is(swapped.status, 200, swapped.text);
  assert.equal(
    (swapped.json() as Binding[]).map(({ secret_id, env_variable }) => [secret_id, env_variable]),
    [
      [b.id, 'A'],
      [a.id, 'B'],
      [c.id, 'C'],
    ],
  );
  // The bindings are sent back unchanged.
  const again = await put(check, swapped.json() as Binding[]);
  assert.equal(again.json(), swapped.json());
  assert.equal((await put(check, [])).json(), []);
  assert.equal(await typesOf(`check-${check.id}`), ['CheckCreated', 'CheckSecretsChanged', 'CheckSecretsChanged']);
  for (const { id } of [a, b, c]) assert.is((await remove(id)).status, 204);
});

test('the audit log shows the bindings of a check', async () => {
  const secret = await make();
  const check = await makeCheck({ secrets: [{ secret_id: secret.id, env_variable: 'A' }] });
  service.time.now += 1;
  await put(check, [{ secret_id: secret.id, env_variable: 'B' }]);
  const [changed, createdEntry] = await auditOf(check.id);
  assert.is(changed?.action, 'check.secrets_changed');
  assert.equal(changed?.changes, {
    secrets: { old: { [secret.id]: 'A' }, new: { [secret.id]: 'B' } },
  });
  assert.equal((createdEntry?.changes as Record<string, object>)['secrets'], {
    old: null,
    new: { [secret.id]: 'A' },
  });
});

test('a secret that is bound to a check cannot be deleted', async () => {
  const secret = await make();
  const check = await makeCheck({ name: 'Login', secrets: [{ secret_id: secret.id, env_variable: 'A' }] });
  const reply = await remove(secret.id);
  assert.is(reply.status, 409);
  assert.is(messageOf(reply), 'This secret is bound to the check "Login".');
  await request('DELETE', `/v1/checks/${check.id}`);
  assert.is((await remove(secret.id)).status, 204);
  assert.is((await get(secret.id)).status, 404);
  assert.is((await remove(secret.id)).status, 404);
});

test('concurrent deletion and binding of a secret leave no check without its secret', async () => {
  for (let n = 0; n < 10; n++) {
    const [secret, check] = [await make(), await makeCheck()];
    const [deleted, bound, created] = await Promise.all([
      remove(secret.id),
      bind(check, { secret_id: secret.id, env_variable: 'A' }),
      postCheck({ secrets: [{ secret_id: secret.id, env_variable: 'A' }] }),
    ]);
    const isBound = bound.status === 201 || created.status === 201;
    assert.is(deleted.status, isBound ? 409 : 204, [deleted.text, bound.text, created.text].join('\n'));
    for (const reply of [bound, created]) assert.ok([201, 422].includes(reply.status), reply.text);
    assert.is((await get(secret.id)).status, isBound ? 200 : 404);
  }
});

test('a repeated request to change a secret gets the response without the value', async () => {
  const headers = { 'idempotency-key': 'secret' };
  const body = { secret_name: name(), secret_value: VALUE };
  const one = await post(body, { headers });
  const two = await post(body, { headers });
  assert.equal(two.json(), one.json());
  const { id } = one.json() as Secret;
  const change = { headers: { 'idempotency-key': 'change' } };
  const changed = await patch(id, { secret_value: 'changed' }, change);
  const replayed = await patch(id, { secret_value: 'changed' }, change);
  assert.is((changed.json() as Secret).secret_value, 'changed');
  assert.is(replayed.headers['idempotent-replayed'], 'true');
  assert.is((replayed.json() as Secret).secret_value, undefined);
  assert.is((await patch(id, { secret_value: 'other' }, change)).status, 422);
  assert.is((await typesOf(`secret-${id}`)).length, 2);
  // The value is read again each time.
  const read = await get(id, { headers: { 'idempotency-key': 'read' } });
  assert.is(read.headers['idempotent-replayed'], undefined);
  await get(id, { headers: { 'idempotency-key': 'read' } });
  assert.is((await typesOf(`secret-${id}`)).length, 4);
});

/** Returns all documents of the read models as text. */
const everyDocument = async (): Promise<string[]> => {
  const read = service.readers.for({ appended: new Map() });
  const found = projections.map(async (projection) => {
    const collections = Object.values(read(projection));
    return (await Promise.all(collections.map((collection) => collection.find({})))).flat();
  });
  return (await Promise.all(found)).flat().map((document) => JSON.stringify(document));
};

test('neither values of secrets nor unkeyed hashes of these values are in logs, read models, stored responses or log lines', async () => {
  const values = ['s3cr3t first value', 's3cr3t other value'] as const;
  const secret_name = name();
  const repeatable = { headers: { 'idempotency-key': 'kept' } };
  const body = { secret_name, secret_value: values[0] };
  const claim = coordination.claim.bind(coordination);
  const fingerprints: string[] = [];
  coordination.claim = (id, fingerprint, now) => {
    fingerprints.push(fingerprint);
    return claim(id, fingerprint, now);
  };
  const secret = (await post(body, repeatable)).json() as Secret;
  const change = { secret_value: values[1] };
  await patch(secret.id, change, repeatable);
  await patch(secret.id, change, { headers: { 'idempotency-key': 'kept too' } });
  coordination.claim = claim;
  const check = await makeCheck({ secrets: [{ secret_id: secret.id, env_variable: 'A' }] });
  await get(secret.id);
  await post({ ...body, secret_name: 'a b' });
  await post(body);
  const documents = await everyDocument();
  assert.ok(documents.some((text) => text.includes(secret_name)));
  await remove(secret.id);
  const shown = [
    await request('GET', `/v1/checks/${check.id}`),
    await bind(check, { secret_id: secret.id, env_variable: 'B' }),
    await request('GET', '/v1/secrets'),
    await request('GET', '/v1/audit', { key: first.keys.admin }),
    await request('GET', '/v1/audit/export?format=csv', { key: first.keys.admin }),
    await patch(secret.id, change, { headers: { 'idempotency-key': 'kept too' } }),
  ].map(({ text }) => text);
  const logs = await Promise.all(Object.values(stores).map((store) => store.readAll({ after: 0n, limit: 100_000 })));
  const everything = [
    ...shown,
    ...service.logged,
    ...logs.flat().map(({ data, metadata }) => JSON.stringify([data, metadata])),
    ...documents,
    ...fingerprints,
  ];
  for (const text of everything) {
    for (const value of values) {
      assert.not(text.includes(value), text);
      assert.not(text.includes(Buffer.from(value).toString('base64')), text);
    }
  }
  assert.ok(fingerprints.length > 0);
  const plain = (method: string, path: string, sent: object): string =>
    hash('sha256', `${JSON.stringify([method, path, ''])}\n${JSON.stringify(sent)}`);
  assert.not(fingerprints.includes(plain('POST', '/v1/secrets', body)));
  assert.not(fingerprints.includes(plain('PATCH', `/v1/secrets/${secret.id}`, change)));
});

test.run();
