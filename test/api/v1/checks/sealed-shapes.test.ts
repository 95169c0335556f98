import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeHistory } from '../../../../cli/history/history.ts';
import { OperatorError } from '../../../../service/operator-error.ts';
import { eventTypes } from '../../../../domain/event-types.ts';
import type { Sealed } from '../../../../domain/sealed.ts';
import { encrypt } from '../../../../stores/keys/cipher.ts';
import { startService } from '../../service.ts';

type Json = Record<string, unknown>;

const test = suite('input in the form of a sealed text');
const service = await startService({ now: Date.parse('2026-11-20T15:00:00Z') });
const { first, second, request } = service;
test.after(() => service.stop());

const SECRET = 'hunter2-of-the-first';
const WEB = { name: 'A', type: 'web', interval: 60, url: 'http://127.0.0.1/', active: false };

const created = async (path: string, body: object, key: string): Promise<Json> => {
  const reply = await request('POST', path, { body, key });
  assert.ok(reply.status === 200 || reply.status === 201, reply.text);
  return reply.json() as Json;
};

/** The sealed password of a check of the first organization, as stored in the log. */
const stolen = await (async (): Promise<Sealed> => {
  const parameters = { http_request: { password: SECRET, headers: { 'X-Vault-Token': SECRET } } };
  const { id } = await created('/v1/checks', { ...WEB, parameters }, first.keys.editor);
  const [event] = await service.stores.main.readStream(`check-${String(id)}`);
  const { http_request } = (event?.data as { parameters: { http_request: { password: Sealed } } }).parameters;
  assert.is(Object.keys(http_request.password).join(), 'key,sealed');
  return http_request.password;
})();

const SHAPES = [
  stolen,
  { ...stolen, more: 1 },
  { '\\sealed': stolen.sealed, key: stolen.key },
  [[stolen]],
  { deep: { deeper: [stolen] } },
];

/** Returns the text of everything that callers without access to secrets of the first organization can read. */
const everywhere = async (): Promise<string> => {
  const { keys } = second;
  const texts = [(await request('GET', '/v1/audit', { key: first.keys.admin })).text];
  for (const path of ['/v1/checks', '/v1/checks/jobs', '/v1/checks/all-results'])
    for (const key of [keys.admin, keys.viewer, first.keys.viewer])
      texts.push((await request('GET', path, { key })).text);
  return texts.join('\n');
};

const told = async (kind: string, id: string, at?: string): Promise<string> => {
  const lines: string[] = [];
  const output = { line: async (line: string) => void lines.push(line), terminal: false };
  try {
    await writeHistory({ kind, id, at, json: true }, { main: service.stores.main, keys: service.keys }, output);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
  }
  return lines.join('\n');
};

for (const [whose, { keys }] of [
  ['another organization', second],
  ['the same organization', first],
] as const) {
  test(`a sealed text of ${whose} in check parameters is shown as the plain object it is`, async () => {
    const parameters = { note: stolen, list: SHAPES, http_request: { method: 'GET', auth: stolen }, send_text: stolen };
    const { id, parameters: shown } = await created('/v1/checks', { ...WEB, parameters }, keys.editor);
    assert.equal(shown, parameters);
    const changed = { ...parameters, note: { again: stolen } };
    service.time.now += 1_000;
    for (const method of ['PATCH', 'PUT'] as const) {
      const reply = await request(method, `/v1/checks/${String(id)}`, {
        body: { parameters: changed },
        key: keys.editor,
      });
      assert.is(reply.status, 200);
      assert.equal((reply.json() as Json)['parameters'], changed);
    }
    const audit = await request('GET', `/v1/audit?resource_id=${String(id)}`, { key: keys.admin });
    const [update, creation] = (audit.json() as { audit_logs: { changes: Record<string, Json> }[] }).audit_logs;
    // `send_text` belongs to tcp checks, but is masked in checks of every type, because the event of a change does not
    // contain the type.
    assert.equal(creation?.changes['parameters']?.['new'], { ...parameters, send_text: '********' });
    assert.equal(update?.changes['parameters']?.['new'], { ...changed, send_text: '********' });
    assert.not.match(await told('check', String(id)), SECRET);
    const past = JSON.parse(await told('check', String(id), '2026-11-21')) as Json;
    assert.equal(past['parameters'], changed);
    assert.not.match(await everywhere(), SECRET);
  });

  test(`a sealed text of ${whose} is refused where a text would be sealed`, async () => {
    for (const http_request of [
      { password: stolen },
      { username: stolen },
      { body: stolen },
      { headers: { Accept: stolen } },
    ]) {
      for (const type of ['web', 'tcp']) {
        const body = { ...WEB, type, host: '127.0.0.1', port: 1, parameters: { http_request } };
        assert.is((await request('POST', '/v1/checks', { body, key: keys.editor })).status, 422);
        assert.is((await request('POST', '/v1/checks/execute', { body, key: keys.editor })).status, 422);
      }
    }
    const body = { ...WEB, type: 'tcp', host: '127.0.0.1', port: 1, parameters: { send_text: stolen } };
    assert.is((await request('POST', '/v1/checks', { body, key: keys.editor })).status, 422);
  });

  test(`a sealed text of ${whose} in a job is shown as the plain object it is`, async () => {
    const definition = { name: 'B', type: 'web', url: 'http://127.0.0.1:9/', parameters: { note: SHAPES } };
    const reply = await request('POST', '/v1/checks/execute', { body: definition, key: keys.editor });
    assert.is(reply.status, 202);
    const { job_id } = reply.json() as { job_id: string };
    const job = (await request('GET', `/v1/checks/jobs/${job_id}`, { key: keys.editor })).json() as Json;
    assert.equal((job['check_parameters'] as Json)['parameters'], { note: SHAPES });
    assert.not.match(await told('job', job_id), SECRET);
  });

  test(`a sealed text of ${whose} in incident metadata is shown as the plain object it is`, async () => {
    const page = await created('/v1/pages', { name: 'P' }, keys.editor);
    const path = `/v1/pages/${String(page['id'])}/incidents`;
    const metadata = { data: { note: stolen, list: SHAPES } };
    const incident = await created(
      path,
      { name: 'I', status: 'investigating', body: 'x', components: {}, impact: 'minor', metadata },
      keys.editor,
    );
    assert.equal(incident['metadata'], metadata);
    const changed = { data: { other: stolen } };
    service.time.now += 1_000;
    const reply = await request('PATCH', `${path}/${String(incident['id'])}`, {
      body: { metadata: changed },
      key: keys.editor,
    });
    assert.equal((reply.json() as Json)['metadata'], changed);
    const audit = await request('GET', `/v1/audit?resource_id=${String(incident['id'])}`, { key: keys.admin });
    const [update] = (audit.json() as { audit_logs: { changes: Record<string, Json> }[] }).audit_logs;
    assert.equal(update?.changes['metadata'], { old: metadata, new: changed });
    assert.not.match(await told('incident', String(incident['id'])), SECRET);
  });
}

/** Stores an event of a check as an earlier release wrote it, and waits until the read model shows it. */
const written = async (id: string, parameters: object): Promise<void> => {
  const [created] = await service.stores.main.readStream(`check-${id}`);
  if (!created) throw new Error('The check has no event.');
  const data = { check_id: id, changes: { parameters }, previous: { parameters: {} } };
  const event = { ...created, id: randomUUID(), type: 'CheckUpdated', data };
  const metadata = { ...created.metadata, schema_version: eventTypes.check.CheckUpdated.version };
  const { position } = await service.stores.main.append(`check-${id}`, [{ ...event, metadata }], 'any');
  await service.readers.waitFor(['checks', 'audit'], { appended: new Map([['main', position]]) });
};

test('an object that has the form of a sealed text, and was stored before such objects were escaped, is shown as it was sent', async () => {
  const { id } = await created('/v1/checks', WEB, second.keys.editor);
  const parameters = { note: stolen, list: SHAPES, send_text: stolen };
  await written(String(id), parameters);
  const check = (await request('GET', `/v1/checks/${String(id)}`, { key: second.keys.editor })).json() as Json;
  assert.equal((check['parameters'] as Json)['note'], stolen);
  assert.equal((check['parameters'] as Json)['send_text'], stolen);
  assert.not.match(await everywhere(), SECRET);
  assert.not.match(await told('check', String(id)), SECRET);
});

test('a text sealed by an earlier release is opened', async () => {
  const { id } = await created('/v1/checks', WEB, first.keys.editor);
  const name = `check-${String(id)}`;
  await service.keys.seal(name, 'anything', { organizationId: first.id, field: 'any' });
  const key = (await service.keys.exportRing()).keys.get(name);
  if (!key) throw new Error('There is no such key.');
  const sealed = (text: string): Sealed => ({ key: name, sealed: encrypt(key, text, name).toString('base64') });
  await written(String(id), { http_request: { username: sealed('ann'), password: sealed('hunter2') } });
  const http_request = { username: 'ann', password: 'hunter2' };
  const shown = async (key: string) =>
    ((await request('GET', `/v1/checks/${String(id)}`, { key })).json() as Json)['parameters'];
  assert.equal(await shown(first.keys.editor), { http_request });
  assert.equal(await shown(first.keys.viewer), { http_request: { ...http_request, password: '********' } });
});

test('a sealed text whose key is missing reads [unreadable], hides no other field, and stays unchanged when it is sent back', async () => {
  const { id } = await created('/v1/checks', WEB, first.keys.editor);
  const lost = { key: 'check-of-another-time', sealed: stolen.sealed };
  await written(String(id), { http_request: { username: lost, password: lost, headers: { Accept: lost } } });
  const path = `/v1/checks/${String(id)}`;
  const shown = (await request('GET', path, { key: first.keys.editor })).json() as Json;
  const unread = { username: '[unreadable]', password: '[unreadable]', headers: { Accept: '[unreadable]' } };
  assert.equal(shown['parameters'], { http_request: unread });
  assert.is((await request('GET', '/v1/checks', { key: first.keys.viewer })).status, 200);
  const revised = { ...unread, headers: { Accept: 'text/html' } };
  const reply = await request('PUT', path, {
    body: { ...shown, parameters: { http_request: revised } },
    key: first.keys.editor,
  });
  assert.is(reply.status, 200, reply.text);
  assert.equal((reply.json() as Json)['parameters'], { http_request: revised });
  const last = (await service.stores.main.readStream(`check-${String(id)}`)).at(-1);
  const { http_request } = (last?.data as { changes: { parameters: { http_request: Json } } }).changes.parameters;
  assert.equal(http_request['password'], lost);
});

test('secret texts are not in the log, not even in names of headers', async () => {
  const headers = { key: 'check-1', sealed: 'header-hunter2' };
  const { id, parameters } = await created(
    '/v1/checks',
    { ...WEB, parameters: { http_request: { headers } } },
    first.keys.editor,
  );
  assert.equal(parameters, { http_request: { headers } });
  assert.equal(((await request('GET', `/v1/checks/${String(id)}`)).json() as Json)['parameters'], {
    http_request: { headers },
  });
  const events = await service.stores.main.readAll({ after: 0n });
  assert.not.match(JSON.stringify(events.map(({ data }) => data)), 'hunter2');
});

test.run();
