import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../api/v1/checks/schema.ts';
import { checkEvents } from '../../../../domain/check/events.ts';
import { CHECK_TYPE_NAMES } from '../../../../domain/check/types/index.ts';
import { instantOf } from '../../../../domain/time.ts';
import { resultOf } from '../../../domain/check-result/examples.ts';
import type { Reply } from '../../http.ts';
import { startService, type ServiceRequest } from '../../service.ts';
import { eventually } from '../../../waiting.ts';

const NOW = Date.UTC(2026, 10, 20, 15, 4, 5, 123);
const URL = 'https://shop.example/';

const test = suite('checks');
const service = await startService({ now: NOW });
const { first, second, request } = service;
test.after(() => service.stop());
test.before.each(() => {
  service.time.now = NOW;
});

const CHECK_FIELDS = { name: 'Shop', type: 'web', url: URL, interval: 60 };

let names = 0;
/** Returns a unique name. */
const aName = (): string => `Check number ${++names}.`;

const checkOf = (reply: Reply): Check => reply.json() as Check;
const post = (body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  request('POST', '/v1/checks', { ...ask, body });
const create = async (body: object = {}, ask: ServiceRequest = {}): Promise<Check> => {
  const reply = await post({ name: aName(), type: 'web', url: URL, interval: 60, ...body }, ask);
  assert.is(reply.status, 201, reply.text);
  return checkOf(reply);
};
const get = (id: string, ask: ServiceRequest = {}): Promise<Reply> => request('GET', `/v1/checks/${id}`, ask);
const patch = (id: string, body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  request('PATCH', `/v1/checks/${id}`, { ...ask, body });
const fieldsOf = (reply: Reply): Record<string, string[]> =>
  (reply.json() as { errors: { json?: Record<string, string[]> } }).errors.json ?? {};
const namesIn = async (query: string, ask: ServiceRequest = {}): Promise<string[]> =>
  ((await request('GET', `/v1/checks?${query}`, ask)).json() as { checks: Check[] }).checks.map(({ name }) => name);

test('a check is created with defaults, and the response has every field', async () => {
  const reply = await post({ name: 'Shop', type: 'web', url: URL, interval: 60 });
  assert.is(reply.status, 201);
  const check = checkOf(reply);
  assert.is(reply.headers['location'], `/v1/checks/${check.id}`);
  assert.equal(check, {
    id: check.id,
    name: 'Shop',
    type: 'web',
    active: true,
    interval: 60,
    timeout: 10,
    host: null,
    url: URL,
    port: null,
    status: 'pending',
    last_checked_at: null,
    parameters: {},
    tags: [],
    secrets: [],
    group_id: null,
    group: null,
    position: null,
    muted_until: null,
    suspended_reason: null,
    managed_by: null,
    created_at: instantOf(NOW),
    updated_at: instantOf(NOW),
    revision: 1,
  });
  assert.equal(checkOf(await get(check.id)), check);
});

test('parameters are returned as sent, including unknown fields', async () => {
  const parameters = {
    regions: ['ru-central1', 'RU, Moscow'],
    search_text: 'in stock',
    retry_enabled: true,
    http_request: {
      method: 'POST',
      headers: { 'X-Trace': 'a', Accept: 'text/html' },
      body: '{"a":1}',
      username: 'user',
      password: 'pass',
      note: 'mine',
    },
    multi_region_execution: { enabled: false, execution_mode: 'all', note: 'mine' },
    note: { deep: [1, null, 'x'] },
  };
  const check = await create({ parameters });
  assert.equal(check.parameters, parameters);
  assert.equal(checkOf(await get(check.id)).parameters, parameters);
});

test('a check stores its port, but no host if it monitors a URL', async () => {
  const check = await create({ host: 'shop.example', port: 8443, active: false, timeout: 30, interval: 86_400 });
  assert.equal([check.host, check.port, check.active, check.timeout, check.interval], [null, 8443, false, 30, 86_400]);
});

test('a host must not contain a port, and a URL must not contain port 0', async () => {
  const tcp = { type: 'tcp', url: null, port: 443 };
  assert.equal(fieldsOf(await post({ ...CHECK_FIELDS, ...tcp, host: 'shop.example:443' })), {
    host: ['Must be a host name or an IP address, without a port.'],
  });
  assert.is((await post({ ...CHECK_FIELDS, ...tcp, host: '::1' })).status, 201);
  assert.equal(fieldsOf(await post({ ...CHECK_FIELDS, url: 'http://shop.example:0/' })), {
    url: ['Must be an http or https URL without user name and password.'],
  });
});

test('a URL that is not a string gets a single error', async () => {
  assert.equal(fieldsOf(await post({ ...CHECK_FIELDS, url: 5 })), { url: ['Must be a string.'] });
});

test('a timeout may contain a fraction of a second, but an interval may not', async () => {
  const check = await create({ timeout: 2.5 });
  assert.is(check.timeout, 2.5);
  assert.is(checkOf(await patch(check.id, { timeout: 1.25 })).timeout, 1.25);
  assert.is(checkOf(await get(check.id)).timeout, 1.25);
  assert.equal(fieldsOf(await patch(check.id, { timeout: 0.9, interval: 60.5 })), {
    timeout: ['Must be greater than or equal to 1.'],
    interval: ['Must be an integer.'],
  });
});

test('the error for a check names all invalid fields', async () => {
  const reply = await post({
    name: '',
    type: 'web',
    interval: 29,
    timeout: 31,
    host: 'a b',
    port: 0,
    active: 'yes',
    secrets: [{ secret_id: 'secret000001', env_variable: 'TOKEN' }],
    parameters: {
      search_text: 7,
      regions: 'EU, West',
      retry_enabled: 'no',
      multi_region_execution: { execution_mode: 'some', count: 0 },
      http_request: { method: 'get', headers: { 'Bad Name': 'x', Good: 'a\nb', List: ['x'] }, username: 1 },
    },
  });
  assert.is(reply.status, 422);
  assert.equal(fieldsOf(reply), {
    name: ['Must not be empty.'],
    interval: ['Must be greater than or equal to 30.'],
    timeout: ['Must be less than or equal to 30.'],
    url: ['Missing required field.'],
    host: ['Must be a host name or an IP address, without a port.'],
    port: ['Must be greater than or equal to 1.'],
    active: ['Must be a boolean.'],
    'secrets.0.secret_id': ['There is no such secret.'],
    'parameters.search_text': ['Must be a string.'],
    'parameters.regions': ['Must be an array.'],
    'parameters.retry_enabled': ['Must be a boolean.'],
    'parameters.multi_region_execution.enabled': ['Missing required field.'],
    'parameters.multi_region_execution.execution_mode': ['Must be one of: all, random_n.'],
    'parameters.multi_region_execution.count': ['Must be greater than or equal to 1.'],
    'parameters.http_request.method': ['Must be one of: GET, POST, PUT, DELETE, HEAD, OPTIONS, PATCH.'],
    'parameters.http_request.headers.Bad Name': ['Is not the name of an HTTP header.'],
    'parameters.http_request.headers.Good': ['Must be one line of characters of ISO 8859-1.'],
    'parameters.http_request.headers.List': ['Must be a string.'],
    'parameters.http_request.username': ['Must be a string.'],
  });
});

test('required fields depend on the check type', async () => {
  const missing = ['Missing required field.'];
  assert.equal(fieldsOf(await post({})), { name: missing, type: missing, interval: missing });
  assert.equal(Object.keys(fieldsOf(await post({ name: 'x', type: 'ping', interval: 60 }))), ['type']);
  const asked: Record<string, string[]> = {
    web: ['url'],
    api: ['url'],
    tcp: ['host', 'port'],
    ssl: ['host'],
    icmp: ['host'],
    dns: ['host'],
    portscan: ['host'],
  };
  for (const type of CHECK_TYPE_NAMES) {
    const fields = fieldsOf(await post({ name: 'x', type, interval: 60 }));
    assert.equal(Object.keys(fields).sort(), asked[type] ?? ['parameters.pw_script'], type);
  }
});

test('a text search is refused for HEAD requests, also in a change', async () => {
  const refused = { 'parameters.search_text': ["Can't be searched: the response to a HEAD request has no body."] };
  const head = { http_request: { method: 'HEAD' } };
  const both = { ...head, search_text: 'ok' };
  assert.equal(fieldsOf(await post({ name: 'x', type: 'web', interval: 60, url: URL, parameters: both })), refused);
  const byHand = { name: 'x', type: 'web', url: URL, parameters: both };
  assert.equal(fieldsOf(await request('POST', '/v1/checks/execute', { body: byHand })), refused);
  const check = await create({ parameters: head });
  assert.equal(fieldsOf(await patch(check.id, { parameters: both })), refused);
  assert.is((await patch(check.id, { parameters: { search_text: 'ok' } })).status, 200);
});

test('errors about rules between fields are reported together with errors of single fields', async () => {
  const missing = ['Missing required field.'];
  const random = (count?: unknown, regions?: unknown) => ({
    multi_region_execution: { enabled: true, execution_mode: 'random_n', ...(count !== undefined && { count }) },
    ...(regions !== undefined && { regions }),
  });
  assert.equal(fieldsOf(await post({ type: 'synthetic', interval: 1, timeout: 121, parameters: random() })), {
    name: missing,
    interval: ['Must be greater than or equal to 30.'],
    timeout: ['Must be less than or equal to 120.'],
    'parameters.pw_script': missing,
    'parameters.multi_region_execution.count': missing,
  });
  const byHand = { type: 'web', url: URL, parameters: random(2, ['eu-west1', 'eu-bel1']) };
  assert.equal(fieldsOf(await request('POST', '/v1/checks/execute', { body: byHand })), {
    name: missing,
    'parameters.multi_region_execution.count': ['Must be less than or equal to 1, the number of regions.'],
  });
  const check = await create();
  assert.equal(
    fieldsOf(await patch(check.id, { interval: 1, timeout: 31, url: null, parameters: { search_text: 7 } })),
    {
      interval: ['Must be greater than or equal to 30.'],
      timeout: ['Must be less than or equal to 30.'],
      url: missing,
      'parameters.search_text': ['Must be a string.'],
    },
  );
  assert.equal(fieldsOf(await patch(check.id, { type: 'tcp', name: null })), {
    type: ["A check's type can't be changed."],
    name: ['Must be a string.'],
  });
});

test('field values of any type cause no internal error, not even in rules between fields', async () => {
  const check = await create();
  for (const value of [null, 7, 'x', [], [null], {}, true]) {
    const parallel = { enabled: true, execution_mode: 'random_n', count: value };
    for (const parameters of [
      value,
      { multi_region_execution: value },
      { regions: value, multi_region_execution: parallel },
    ]) {
      const body = { ...CHECK_FIELDS, timeout: value, host: value, parameters };
      for (const reply of [await post(body), await patch(check.id, body)])
        assert.ok(reply.status < 500, JSON.stringify(body));
    }
  }
});

test('a URL must be http or https, without credentials', async () => {
  for (const url of [
    'ftp://shop.example/',
    'shop.example',
    'https://',
    'https://user:pass@shop.example/',
    'http://a b/',
    `https://shop.example/${'x'.repeat(2_048)}`,
  ])
    assert.equal(Object.keys(fieldsOf(await post({ name: 'x', type: 'web', interval: 60, url }))), ['url'], url);
  assert.equal(fieldsOf(await post({ name: 'x', type: 'web', interval: 60, url: null })), {
    url: ['Must be a string.'],
  });
});

test('parameters have a maximum size', async () => {
  const body = { name: 'x', type: 'web', url: URL, interval: 60 };
  const large = await post({ ...body, parameters: { note: 'x'.repeat(262_144) } });
  assert.equal(fieldsOf(large), { parameters: ['Must have at most 262144 bytes as JSON.'] });
  const long = await post({ ...body, parameters: { http_request: { body: 'x'.repeat(65_537) } } });
  assert.equal(Object.keys(fieldsOf(long)), ['parameters.http_request.body']);
  // One event can store the largest accepted parameters, sealed and together with the previous parameters.
  const most = 'я'.repeat(65_536);
  const check = await create({ parameters: { http_request: { body: most } } });
  const reply = await patch(check.id, { parameters: { http_request: { body: `${most.slice(1)}!` } } });
  assert.is(reply.status, 200, reply.text.slice(0, 200));
});

test('an unknown region, or a region that cannot run the check type, is 400 with a message', async () => {
  const body = { name: 'x', type: 'web', url: URL, interval: 60 };
  const messageOf = (reply: Reply): unknown => [reply.status, (reply.json() as { message: string }).message];
  assert.equal(messageOf(await post({ ...body, parameters: { regions: ['Mars'] } })), [
    400,
    'There is no region "Mars".',
  ]);
  assert.equal(messageOf(await post({ ...body, parameters: { regions: ['ru-msk1', 'eu-west1'] } })), [
    400,
    'Checks of type web can\'t be run in region "EU, West".',
  ]);
  const check = await create();
  assert.is((await patch(check.id, { parameters: { regions: ['Mars'] } })).status, 400);
  // Errors of the schema take precedence.
  assert.is((await post({ ...body, interval: 1, parameters: { regions: ['Mars'] } })).status, 422);
});

test('PUT and PATCH of a check change only the fields in the body', async () => {
  const check = await create({ parameters: { search_text: 'ok', retry_enabled: true } });
  service.time.now = NOW + 1_000;
  for (const method of ['PUT', 'PATCH']) {
    const reply = await request(method, `/v1/checks/${check.id}`, {
      body: { name: method, parameters: { search_text: 'fine' } },
    });
    assert.is(reply.status, 200, reply.text);
    assert.equal(checkOf(reply), {
      ...check,
      name: method,
      parameters: { search_text: 'fine' },
      updated_at: instantOf(NOW + 1_000),
      revision: method === 'PUT' ? 2 : 3,
    });
  }
});

test('sending a whole check back changes nothing, including sealed texts', async () => {
  const check = await create({
    parameters: { http_request: { password: 'secret', headers: { Cookie: 'a=b' }, body: 'x' } },
  });
  service.time.now = NOW + 5_000;
  const reply = await request('PUT', `/v1/checks/${check.id}`, { body: check });
  assert.is(reply.status, 200, reply.text);
  assert.equal(checkOf(reply), check);
});

test('the type of a check cannot change, and its required fields cannot be removed', async () => {
  const check = await create();
  assert.equal(fieldsOf(await patch(check.id, { type: 'api' })), { type: ["A check's type can't be changed."] });
  assert.is((await patch(check.id, { type: 'web', name: 'Same type' })).status, 200);
  assert.equal(fieldsOf(await patch(check.id, { url: null })), { url: ['Missing required field.'] });
  assert.equal(fieldsOf(await patch(check.id, { timeout: 31 })), { timeout: ['Must be less than or equal to 30.'] });
  assert.equal(fieldsOf(await patch(check.id, { name: null, interval: 5 })), {
    name: ['Must be a string.'],
    interval: ['Must be greater than or equal to 30.'],
  });
  const random = {
    multi_region_execution: { enabled: false, execution_mode: 'random_n', count: 2 },
    regions: ['ru-msk1'],
  };
  assert.equal(fieldsOf(await patch(check.id, { parameters: random })), {
    'parameters.multi_region_execution.count': ['Must be less than or equal to 1, the number of regions.'],
  });
  assert.is(checkOf(await get(check.id)).url, URL);
});

test('a deleted check is no longer found', async () => {
  const check = await create();
  assert.is((await request('DELETE', `/v1/checks/${check.id}`)).status, 204);
  assert.is((await get(check.id)).status, 404);
  assert.is((await patch(check.id, { name: 'x' })).status, 404);
  assert.is((await request('GET', `/v1/checks/${check.id}/results`)).status, 404);
  assert.is((await request('DELETE', `/v1/checks/${check.id}`)).status, 404);
  assert.not((await namesIn('page_size=100')).includes(check.name));
});

const SECRETS = {
  method: 'POST',
  username: 'user',
  password: 'hunter2-password',
  body: 'token=hunter2-body',
  headers: {
    authorization: 'Bearer hunter2-a',
    'Proxy-Authorization': 'Basic hunter2-f',
    COOKIE: 'session=hunter2-c',
    'X-Api-Key': 'hunter2-d',
    'PRIVATE-TOKEN': 'hunter2-e',
    'X-Vault-Token': 'hunter2-v',
    'accept-language': 'de',
  },
};

test('editors and admins see credentials of a check, and others see them masked', async () => {
  const { id } = await create({ parameters: { http_request: SECRETS } });
  for (const role of ['editor', 'admin'] as const)
    assert.equal(checkOf(await get(id, { key: first.keys[role] })).parameters, { http_request: SECRETS }, role);
  const masked = {
    ...SECRETS,
    password: '********',
    body: '********',
    headers: {
      authorization: '********',
      'Proxy-Authorization': '********',
      COOKIE: '********',
      'X-Api-Key': '********',
      'PRIVATE-TOKEN': '********',
      'X-Vault-Token': '********',
      'accept-language': 'de',
    },
  };
  for (const role of ['viewer', 'billing'] as const) {
    const key = first.keys[role];
    assert.equal(checkOf(await get(id, { key })).parameters, { http_request: masked }, role);
    const list = (await request('GET', '/v1/checks?page_size=100', { key })).json() as { checks: Check[] };
    assert.equal(list.checks.find((check) => check.id === id)?.parameters, { http_request: masked }, role);
  }
});

test('masked credentials of a check stay unchanged when they are sent back', async () => {
  const { id } = await create({ parameters: { http_request: SECRETS } });
  const asRead = checkOf(await get(id, { key: first.keys.viewer }));
  assert.is((await request('PUT', `/v1/checks/${id}`, { body: asRead })).status, 200);
  assert.equal(checkOf(await get(id)).parameters, { http_request: SECRETS });
});

test('a masked header stays unchanged even if it is sent back at another position or in another case', async () => {
  const { id } = await create({ parameters: { http_request: SECRETS } });
  const headers = { 'x-vault-token': '********', Authorization: '********', 'private-token': 'hunter2-new' };
  const changed = await patch(id, { parameters: { http_request: { headers } } });
  assert.equal(checkOf(changed).parameters, {
    http_request: {
      headers: {
        'x-vault-token': SECRETS.headers['X-Vault-Token'],
        Authorization: SECRETS.headers.authorization,
        'private-token': 'hunter2-new',
      },
    },
  });
});

test('a masked value for a field without a stored value is refused, and the error names the field, together with other errors', async () => {
  const sentence = ['No stored text matches ********. Send the whole text.'];
  const { id } = await create({ parameters: { http_request: { headers: { 'X-Vault-Token': 'hunter2' } } } });
  const http_request = { password: '********', headers: { 'X-Renamed': '********', 'X-Vault-Token': '********' } };
  const refused = {
    'parameters.http_request.password': sentence,
    'parameters.http_request.headers.X-Renamed': sentence,
  };
  const changed = await patch(id, { interval: 5, parameters: { http_request } });
  assert.is(changed.status, 422);
  assert.equal(fieldsOf(changed), { interval: ['Must be greater than or equal to 30.'], ...refused });
  const created = await request('POST', '/v1/checks', { body: { ...CHECK_FIELDS, parameters: { http_request } } });
  assert.is(created.status, 422);
  assert.equal(fieldsOf(created), { ...refused, 'parameters.http_request.headers.X-Vault-Token': sentence });
  const executed = await request('POST', '/v1/checks/execute', {
    body: { ...CHECK_FIELDS, parameters: { http_request } },
  });
  assert.is(executed.status, 422);
  assert.equal(checkOf(await get(id)).parameters, { http_request: { headers: { 'X-Vault-Token': 'hunter2' } } });
});

test('all values that cannot be sealed are refused in one response, including those in unknown fields', async () => {
  const http_request = { password: 5, headers: { 'X-A': null, 'X-B': { key: 'a', sealed: 'b' }, 'X-C': 'c' } };
  const definition = { ...CHECK_FIELDS, type: 'tcp', host: '127.0.0.1', port: 6379 };
  const sentence = ['Must be a string.'];
  const refused = {
    'parameters.http_request.password': sentence,
    'parameters.http_request.headers.X-A': sentence,
    'parameters.http_request.headers.X-B': sentence,
  };
  const created = await post({ ...definition, interval: 5, parameters: { http_request } });
  assert.equal(fieldsOf(created), { interval: ['Must be greater than or equal to 30.'], ...refused });
  const { id } = await create({ ...definition, active: false });
  assert.equal(fieldsOf(await patch(id, { parameters: { http_request } })), refused);
});

test('the text sent by a tcp check is sealed, shown only to editors and admins, and stays unchanged when sent back masked', async () => {
  const definition = { type: 'tcp', url: undefined, host: '127.0.0.1', port: 6379, active: false };
  const parameters = { send_text: 'AUTH hunter2-tcp', search_text: '+OK' };
  const { id } = await create({ ...definition, parameters });
  for (const role of ['editor', 'admin'] as const)
    assert.equal(checkOf(await get(id, { key: first.keys[role] })).parameters, parameters, role);
  for (const role of ['viewer', 'billing'] as const) {
    const shown = checkOf(await get(id, { key: first.keys[role] })).parameters;
    assert.equal(shown, { ...parameters, send_text: '********' }, role);
  }
  await patch(id, { parameters: { send_text: '********', search_text: '+PONG' } });
  assert.equal(checkOf(await get(id)).parameters, { send_text: 'AUTH hunter2-tcp', search_text: '+PONG' });
  const events = await service.stores.main.readStream(`check-${id}`);
  assert.not.match(JSON.stringify(events.map(({ data }) => data)), 'hunter2');
  const audit = await request('GET', `/v1/audit?resource_id=${id}`, { key: first.keys.admin });
  assert.not.match(audit.text, 'hunter2');
});

test('a `send_text` that an earlier release stored unsealed is masked too, and becomes sealed when it is sent back', async () => {
  const { id } = await create({ type: 'tcp', url: undefined, host: '127.0.0.1', port: 6379, active: false });
  const [created] = await service.stores.main.readStream(`check-${id}`);
  if (!created) throw new Error('The check has no event.');
  const old = {
    ...created,
    id: randomUUID(),
    type: 'CheckUpdated',
    data: { check_id: id, changes: { parameters: { send_text: 'AUTH hunter2-old' } }, previous: { parameters: {} } },
    metadata: { ...created.metadata, schema_version: checkEvents.CheckUpdated.version },
  };
  await service.stores.main.append(`check-${id}`, [old], 'any');
  const editor = { key: first.keys.editor };
  await eventually(async () => (await get(id, editor)).text.includes('hunter2-old'));
  assert.not.match((await get(id, { key: first.keys.viewer })).text, 'hunter2');
  assert.is((await patch(id, { parameters: { send_text: '********' } })).status, 200);
  assert.equal(checkOf(await get(id, editor)).parameters, { send_text: 'AUTH hunter2-old' });
  const last = (await service.stores.main.readStream(`check-${id}`)).at(-1);
  assert.not.match(JSON.stringify((last?.data as { changes: object }).changes), 'hunter2');
  const audit = await request('GET', `/v1/audit?resource_id=${id}`, { key: first.keys.admin });
  assert.not.match(audit.text, 'hunter2');
});

test('responses that may contain secrets are not cached, but still support conditional requests', async () => {
  const { id } = await create({ parameters: { http_request: SECRETS } });
  for (const path of [`/v1/checks/${id}`, '/v1/checks', '/v1/audit', '/v1/checks/jobs', `/v1/checks/${id}/results`]) {
    const reply = await request('GET', path, { key: first.keys.admin });
    assert.equal([reply.status, reply.headers['cache-control']], [200, 'no-store'], path);
    const headers = { 'if-none-match': String(reply.headers['etag']) };
    assert.is((await request('GET', path, { key: first.keys.admin, headers })).status, 304, path);
  }
});

test('secret texts of a request are in no event, read model, audit entry or log line in the clear', async () => {
  const { id } = await create({ parameters: { http_request: SECRETS } });
  await patch(id, { parameters: { http_request: { ...SECRETS, password: 'hunter2-other' } } });
  const events = await service.stores.main.readStream(`check-${id}`);
  assert.is(events.length, 2);
  assert.not.match(JSON.stringify(events.map(({ data }) => data)), 'hunter2');
  // Unchanged texts keep their ciphertext.
  const [before, after] = events.map(({ data }) => JSON.stringify(data));
  const seal = /"body":(\{"key":"[^"]+","sealed":"[^"]+"\})/.exec(before ?? '')?.[1] ?? 'none';
  assert.ok(after?.includes(seal));
  const audit = await request('GET', `/v1/audit?resource_id=${id}`, { key: first.keys.admin });
  assert.is(audit.status, 200);
  assert.not.match(audit.text, 'hunter2');
  assert.not.match(service.logged.join('\n'), 'hunter2');
});

test('texts sealed under a deleted key read [forgotten] everywhere, and the rest of the check remains', async () => {
  const { id } = await create({
    parameters: { search_text: 'ok', http_request: { username: 'user', password: 'pass' } },
  });
  await service.keys.forget(`check-${id}`);
  const check = checkOf(await get(id));
  assert.equal(check.parameters, {
    search_text: 'ok',
    http_request: { username: '[forgotten]', password: '[forgotten]' },
  });
  assert.is((await patch(id, { name: 'Renamed', parameters: check.parameters })).status, 200);
  const refused = await patch(id, { parameters: { http_request: { password: 'new' } } });
  assert.is(refused.status, 400, refused.text);
});

test('an object in the form of a sealed text is not treated as a sealed text', async () => {
  const sealed = { key: 'api_key-000000000001', sealed: 'AAAA' };
  const reply = await post({
    name: 'x',
    type: 'web',
    url: URL,
    interval: 60,
    parameters: { http_request: { password: sealed } },
  });
  assert.equal(fieldsOf(reply), { 'parameters.http_request.password': ['Must be a string.'] });
});

test('checks are listed newest first and can be filtered', async () => {
  const mark = 'Filter';
  const made: Check[] = [];
  for (const name of ['Alpha', 'Beta', 'Gamma']) {
    service.time.now += 1_000;
    made.push(await create({ name: `${mark} ${name}` }));
  }
  const [, beta] = made;
  assert.equal(await namesIn(`name=${mark}`), [`${mark} Gamma`, `${mark} Beta`, `${mark} Alpha`]);
  assert.equal(await namesIn('name=filter%20BE'), [`${mark} Beta`]);
  assert.equal(await namesIn(`name=${mark}&type=web&status=pending&group_id=ungrouped`), await namesIn(`name=${mark}`));
  for (const query of ['status=pending,up', 'status=down,%20pending', 'type=tcp,web'])
    assert.equal(await namesIn(`name=${mark}&${query}`), await namesIn(`name=${mark}`), query);
  for (const query of ['type=tcp', 'status=down', 'status=down,up', 'group_id=group0000001'])
    assert.equal(await namesIn(`name=${mark}&${query}`), [], query);
  assert.equal(await namesIn(`name=${mark}&page_size=1&page=2`), [beta?.name]);
  for (const query of ['type=ping', 'status=fine', 'status=up,fine', 'status=up,', 'page=0', 'page_size=101'])
    assert.is((await request('GET', `/v1/checks?${query}`)).status, 400, query);
});

test('checks can be found by their tags', async () => {
  const mark = `tag-${randomUUID()}`;
  const one = await create({ tags: [mark, 'prod', 'eu', 'prod'] });
  service.time.now += 1_000;
  const other = await create({ tags: [mark, 'us'] });
  await create({ tags: ['prod'] });
  assert.equal(one.tags, ['eu', 'prod', mark].sort());
  assert.equal(await namesIn(`tag=${mark}`), [other.name, one.name]);
  assert.equal(await namesIn(`tag=${mark}-none`), []);
  const group = (await request('POST', '/v1/check-groups', { body: { name: mark } })).json() as { id: string };
  await patch(one.id, { group_id: group.id });
  const grouped = async (query: string) =>
    ((await request('GET', `/v1/check-groups/${group.id}/checks?${query}`)).json() as { checks: Check[] }).checks;
  assert.equal(
    (await grouped('tag=eu,us')).map(({ id }) => id),
    [one.id],
  );
  assert.equal(await grouped('tag=us'), []);

  const changed = checkOf(await patch(one.id, { tags: ['us'] }));
  assert.equal(changed.tags, ['us']);
  assert.equal(await namesIn(`tag=${mark}`), [other.name]);
  assert.equal(checkOf(await patch(one.id, { name: one.name })).tags, ['us']);
  assert.equal(checkOf(await patch(one.id, { tags: [] })).tags, []);
});

test('a filter by several tags finds checks with any of them', async () => {
  const mark = randomUUID();
  for (const letter of ['a', 'b', 'c']) {
    service.time.now += 1_000;
    await create({ tags: [`${mark}:${letter}`] });
  }
  const listed = await request('GET', `/v1/checks?tag=${mark}:a,${mark}:c`);
  assert.equal(
    (listed.json() as { checks: Check[] }).checks.map(({ tags }) => tags),
    [[`${mark}:c`], [`${mark}:a`]],
  );
});

test('the error for an invalid tag contains the index of the tag, and more than 20 tags are refused', async () => {
  const wrong = 'Must be 1 to 50 lower-case letters, digits, ".", "_", ":" or "-".';
  const body = { ...CHECK_FIELDS, tags: ['eu', 'Prod', '', 'x'.repeat(51), 'a,b'] };
  assert.equal(fieldsOf(await post(body)), {
    'tags.1': [wrong],
    'tags.2': [wrong],
    'tags.3': [wrong],
    'tags.4': [wrong],
  });
  const { id } = await create();
  const many = (length: number) => ({ tags: Array.from({ length }, (_, n) => n.toString()) });
  assert.equal(Object.keys(fieldsOf(await patch(id, many(21)))), ['tags']);
  assert.equal(Object.keys(fieldsOf(await patch(id, { tags: null }))), ['tags']);
  assert.is((await patch(id, many(20))).status, 200);
  assert.is((await request('GET', '/v1/checks?tag=Prod')).status, 400);
});

test('a check can be muted until a future time, and this time is shown until it has passed', async () => {
  const inAnHour = new Date(service.time.now + 3_600_000).toISOString();
  const until = `${inAnHour.slice(0, -1)}000`;
  const check = await create({ muted_until: inAnHour });
  assert.is(check.muted_until, until);
  assert.is(checkOf(await patch(check.id, { name: 'Muted' })).muted_until, until);
  assert.is(checkOf(await patch(check.id, { muted_until: null })).muted_until, null);
  assert.is(checkOf(await patch(check.id, { muted_until: '2020-01-01T00:00:00Z' })).muted_until, null);
  const both = checkOf(await patch(check.id, { muted_until: inAnHour, timeout: 5 }));
  assert.equal([both.muted_until, both.timeout], [until, 5]);
  // The end of a mute is not shown after it has passed.
  const { now } = service.time;
  service.time.now += 3_600_000;
  assert.is(checkOf(await get(check.id)).muted_until, null);
  service.time.now = now;
  assert.equal(Object.keys(fieldsOf(await patch(check.id, { muted_until: 'soon' }))), ['muted_until']);
});

test('a check of another organization is not found', async () => {
  const check = await create();
  const key = second.keys.admin;
  assert.is((await get(check.id, { key })).status, 404);
  assert.is((await patch(check.id, { name: 'Mine' }, { key })).status, 404);
  assert.is((await request('DELETE', `/v1/checks/${check.id}`, { key })).status, 404);
  assert.equal(await namesIn('page_size=100', { key }), []);
});

test('last_checked_at is the time of the newest result', async () => {
  const check = await create();
  const event = resultOf(check.id, NOW + 2_000, { organization_id: first.id });
  const { position } = await service.stores.results.append('check_results-ru-central1', [event], 'any');
  await service.readers.waitFor(['check_activity'], { appended: new Map([['results', position]]) });
  assert.is(checkOf(await get(check.id)).last_checked_at, instantOf(NOW + 2_000));
});

test('regions are listed with the check types that they can run now', async () => {
  interface Regions {
    regions: { id: string; display_name: string; aliases: string[]; available_check_types: string[] }[];
    total_regions: number;
  }
  const regionsOf = async (query = ''): Promise<Regions> =>
    (await request('GET', `/v1/checks/get-regions${query}`, { key: first.keys.viewer })).json() as Regions;
  const all = await regionsOf();
  assert.equal(all.regions.map(({ id }) => id).sort(), [
    'BR, Sao Paulo',
    'CN, Hong Kong',
    'EU, West',
    'IN, Mumbai',
    'RU, Moscow',
    'ZA, Johannesburg',
  ]);
  assert.is(all.total_regions, 6);
  assert.equal(all.regions.find(({ id }) => id === 'IN, Mumbai')?.aliases, ['asia-south1', 'in-mum1']);
  assert.equal(all.regions.find(({ id }) => id === 'RU, Moscow')?.available_check_types, [...CHECK_TYPE_NAMES].sort());
  const able = await regionsOf('?check_type=web');
  assert.equal(
    able.regions.map(({ id }) => id),
    ['RU, Moscow'],
  );
  assert.is(able.total_regions, 1);
  assert.is((await request('GET', '/v1/checks/get-regions?check_type=ping')).status, 400);
});

test.run();
