import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definitionOf } from '../../../../domain/event-types.ts';
import { jobStarted, single } from '../../../domain/job/examples.ts';
import { instantOf } from '../../../../domain/time.ts';
import { derivedId, derivedUuid } from '../../../../domain/identity.ts';
import { startService } from '../../service.ts';

/** On-demand runs through the API. The tests in test/reactors/job-runs.test.ts also perform the runs. */
const test = suite('jobs');

const NOW = Date.parse('2026-11-20T15:30:00Z');
const service = await startService({ now: NOW });
test.after(() => service.stop());
test.before.each(() => {
  service.time.now = NOW;
});

type Json = Record<string, unknown>;

const CHECK = { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60, timeout: 7 };
const BY_HAND = { name: 'By hand', type: 'web', url: 'http://127.0.0.1:9/' };

const call = async (method: string, path: string, body?: object, key?: string) => {
  const reply = await service.request(method, path, { ...(body && { body }), ...(key !== undefined && { key }) });
  return { status: reply.status, body: (reply.text === '' ? {} : reply.json()) as Json, headers: reply.headers };
};
const newCheck = async (fields: object = {}): Promise<string> =>
  (await call('POST', '/v1/checks', { ...CHECK, ...fields })).body['id'] as string;
const execute = async (path: string, body?: object, key?: string): Promise<string> =>
  (await call('POST', path, body, key)).body['job_id'] as string;
const job = async (id: string, key?: string): Promise<Json> =>
  (await call('GET', `/v1/checks/jobs/${id}`, undefined, key)).body;

/** Appends events as the reactors would, and waits until the read model shows them. */
const happens = async (id: string, fact: { type: string; data: object }): Promise<void> => {
  const event = {
    id: derivedUuid(`${id} ${fact.type}`),
    type: fact.type,
    data: { ...fact.data, job_id: id },
    metadata: {
      $correlationId: 'test',
      $causationId: 'test',
      command_id: 'test',
      actor: { kind: 'system' as const, id: 'test', role: null },
      organization_id: service.first.id,
      recorded_at: instantOf(service.time.now),
      schema_version: definitionOf(fact.type)?.version ?? 1,
    },
  };
  const { position } = await service.stores.main.append(`job-${id}`, [event], 'any');
  await service.readers.waitFor(['jobs'], { appended: new Map([['main', position]]) });
};

test('running a check creates a queued job with the current definition', async () => {
  const check = await newCheck();
  const accepted = await call('POST', `/v1/checks/${check}/execute`);
  assert.is(accepted.status, 202);
  const { job_id: id, ...rest } = accepted.body;
  assert.equal(rest, { message: 'Check execution queued', status: 'queued' });
  assert.is(accepted.headers.location, `/v1/checks/jobs/${String(id)}`);
  await call('PATCH', `/v1/checks/${check}`, { name: 'Other', timeout: 8 });
  assert.equal(await job(String(id)), {
    id,
    check_id: check,
    check_parameters: {
      name: 'Shop',
      type: 'web',
      url: 'http://127.0.0.1:9/',
      host: null,
      port: null,
      timeout: 7,
      parameters: {},
    },
    job_type: 'existing_check',
    status: 'queued',
    created_at: instantOf(NOW),
    started_at: null,
    completed_at: null,
    error_message: null,
    result: null,
  });
});

test('an inactive check can be run, but a deleted check cannot', async () => {
  const check = await newCheck({ active: false });
  assert.is((await call('POST', `/v1/checks/${check}/execute`)).status, 202);
  await call('DELETE', `/v1/checks/${check}`);
  assert.is((await call('POST', `/v1/checks/${check}/execute`)).status, 404);
});

test('running a definition creates no check', async () => {
  const before = (await call('GET', '/v1/checks')).body['pagination'] as Json;
  const id = await execute('/v1/checks/execute', { ...BY_HAND, host: 'ignored.example', interval: 60, active: true });
  const found = await job(id);
  assert.equal([found['check_id'], found['job_type']], [null, 'custom_check']);
  const definition = { ...BY_HAND, host: null, port: null, timeout: 10, parameters: {} };
  assert.equal(found['check_parameters'], definition);
  assert.equal((await call('GET', '/v1/checks')).body['pagination'], before);
});

test('an invalid definition is 422 and names every field', async () => {
  const { status, body } = await call('POST', '/v1/checks/execute', {
    type: 'tcp',
    timeout: 31,
    port: 70_000,
    parameters: { send_text: 1 },
  });
  assert.is(status, 422);
  const { json } = body['errors'] as { json: Json };
  assert.equal(Object.keys(json).sort(), ['host', 'name', 'parameters.send_text', 'port', 'timeout']);
  const type = await call('POST', '/v1/checks/execute', { ...BY_HAND, type: 'ftp' });
  assert.is(type.status, 422);
  const count = { enabled: true, execution_mode: 'random_n', count: 3 };
  const parameters = { regions: ['RU, Moscow'], multi_region_execution: count };
  const several = await call('POST', '/v1/checks/execute', { ...BY_HAND, parameters });
  assert.is(several.status, 422);
  assert.equal((several.body['errors'] as { json: Json }).json, {
    'parameters.multi_region_execution.count': ['Must be less than or equal to 1, the number of regions.'],
  });
});

test('a job accepts every check type that its region can run, and is 400 for a region that cannot run it or is unknown', async () => {
  const definitions = [
    { type: 'api', url: 'http://127.0.0.1:9/' },
    { type: 'tcp', host: '127.0.0.1', port: 9 },
    { type: 'ssl', host: '127.0.0.1' },
    { type: 'icmp', host: '127.0.0.1' },
    { type: 'dns', host: 'example.com' },
    { type: 'portscan', host: '127.0.0.1' },
    { type: 'synthetic', timeout: 120, parameters: { pw_script: 'test' } },
    { type: 'multistep', parameters: { pw_script: 'test' } },
  ];
  for (const definition of definitions) {
    const { status } = await call('POST', '/v1/checks/execute', { name: 'By hand', ...definition });
    assert.is(status, 202, definition.type);
  }
  for (const region of ['EU, West', 'Atlantis']) {
    const { status, body } = await call('POST', '/v1/checks/execute', {
      ...BY_HAND,
      parameters: { regions: [region] },
    });
    assert.is(status, 400);
    assert.match(String(body['message']), region);
  }
});

test('credentials of a job are shown only to editors and admins, and stored sealed', async () => {
  const http_request = {
    username: 'me',
    password: 'hunter2-hunter2',
    body: 'hunter2-body',
    headers: { Authorization: 'Token t0ps3cret', 'X-Vault-Token': 'hunter2-v', Accept: 'text/html' },
  };
  const parameters = { http_request };
  const ofCheck = await execute(`/v1/checks/${await newCheck({ parameters })}/execute`);
  const byHand = await execute('/v1/checks/execute', { ...BY_HAND, parameters });
  const masked = {
    http_request: {
      ...http_request,
      password: '********',
      body: '********',
      headers: { Authorization: '********', 'X-Vault-Token': '********', Accept: 'text/html' },
    },
  };
  const { keys } = service.first;
  for (const id of [ofCheck, byHand]) {
    const shownTo = async (key: string) => ((await job(id, key))['check_parameters'] as Json)['parameters'];
    for (const role of ['editor', 'admin'] as const) assert.equal(await shownTo(keys[role]), parameters, role);
    for (const role of ['viewer', 'billing'] as const) assert.equal(await shownTo(keys[role]), masked, role);
  }
  const { jobs } = (await call('GET', '/v1/checks/jobs', undefined, keys.viewer)).body as { jobs: Json[] };
  assert.not.match(JSON.stringify(jobs), 'hunter2');
  const stored = JSON.stringify((await service.stores.main.readAll({ after: 0n })).map(({ data }) => data));
  assert.not.match(stored, 'hunter2');
  assert.not.match(stored, 't0ps3cret');
});

test('only editors and admins can run checks', async () => {
  const check = await newCheck();
  for (const role of ['viewer', 'billing'] as const) {
    const key = service.first.keys[role];
    assert.is((await call('POST', `/v1/checks/${check}/execute`, undefined, key)).status, 403);
    assert.is((await call('POST', '/v1/checks/execute', BY_HAND, key)).status, 403);
    assert.is((await call('GET', '/v1/checks/jobs', undefined, key)).status, 200);
  }
});

test('jobs of other organizations are not found', async () => {
  const id = await execute('/v1/checks/execute', BY_HAND, service.second.keys.editor);
  assert.is((await call('GET', `/v1/checks/jobs/${id}`)).status, 404);
  assert.is((await call('GET', `/v1/checks/jobs/${id}`, undefined, service.second.keys.viewer)).status, 200);
  const check = await newCheck();
  const foreign = await call('POST', `/v1/checks/${check}/execute`, undefined, service.second.keys.editor);
  assert.is(foreign.status, 404);
  const { jobs } = (await call('GET', '/v1/checks/jobs', undefined, service.second.keys.viewer)).body;
  assert.equal(
    (jobs as Json[]).map((one) => one['id']),
    [id],
  );
});

test('jobs are listed newest first, in pages, and by status', async () => {
  const own = await startService({ now: NOW });
  const list = async (search: string) => (await own.request('GET', `/v1/checks/jobs${search}`)).json() as Json;
  const ids: string[] = [];
  for (let second = 0; second < 3; second++) {
    own.time.now = NOW + second * 1_000;
    const asked = (await own.request('POST', '/v1/checks/execute', { body: BY_HAND })).json() as Json;
    ids.unshift(String(asked['job_id']));
  }
  const idsOf = async (search: string) => ((await list(search))['jobs'] as Json[]).map(({ id }) => id);
  assert.equal(await idsOf(''), ids);
  assert.equal((await list(''))['pagination'], {
    page: 1,
    per_page: 20,
    pages: 1,
    total: 3,
    has_next: false,
    has_prev: false,
  });
  assert.equal(await idsOf('?per_page=2&page=2'), ids.slice(2));
  assert.equal(await idsOf('?status=queued'), ids);
  assert.equal(await idsOf('?status=completed'), []);
  assert.is((await own.request('GET', '/v1/checks/jobs?status=done')).status, 400);
  assert.is((await own.request('GET', '/v1/checks/jobs?per_page=101')).status, 400);
  await own.stop();
});

test('a job shows its start, its end and its result', async () => {
  const id = await execute('/v1/checks/execute', BY_HAND);
  service.time.now = NOW + 1_000;
  await happens(id, jobStarted);
  assert.equal([(await job(id))['status'], (await job(id))['started_at']], ['started', instantOf(NOW + 1_000)]);
  service.time.now = NOW + 2_000;
  const result = { ...single, result_id: derivedId('result') };
  await happens(id, { type: 'JobCompleted', data: { result } });
  const done = await job(id);
  assert.equal(
    [done['status'], done['completed_at'], done['error_message']],
    ['completed', instantOf(NOW + 2_000), null],
  );
  assert.equal(done['result'], result);
});

test('a failed job shows why the run was not possible', async () => {
  const id = await execute('/v1/checks/execute', BY_HAND);
  await happens(id, { type: 'JobFailed', data: { error_message: 'The check was deleted.' } });
  const failed = await job(id);
  assert.equal([failed['status'], failed['result']], ['failed', null]);
  assert.is(failed['error_message'], 'The check was deleted.');
  assert.is(failed['completed_at'], instantOf(NOW));
});

test('`jobs` and `execute` in a path are never taken for the id of a check or job', async () => {
  assert.is((await call('DELETE', '/v1/checks/jobs')).status, 405);
  assert.is((await call('GET', '/v1/checks/execute')).status, 405);
  assert.is((await call('GET', '/v1/checks/jobs/execute')).status, 404);
  assert.is((await call('POST', '/v1/checks/jobs/execute')).status, 405);
});

test('requests with the same Idempotency-Key create one job', async () => {
  const headers = { 'idempotency-key': 'run it once' };
  const [one, two] = [
    await service.request('POST', '/v1/checks/execute', { body: BY_HAND, headers }),
    await service.request('POST', '/v1/checks/execute', { body: BY_HAND, headers }),
  ];
  assert.is(one.status, 202);
  assert.is(two.text, one.text);
  assert.is(two.headers['idempotent-replayed'], 'true');
});

test.run();
