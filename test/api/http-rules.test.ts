import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientKey } from '../../domain/client-key.ts';
import { Conflict, Forbidden, IllegalState, Invalid } from '../../domain/errors.ts';
import { ReadModelLate, ReadModelUnavailable } from '../../projections/readers.ts';
import { StoreUnavailable } from '../../stores/event-store/port.ts';
import { ReadStoreUnavailable } from '../../stores/read-store/port.ts';
import type { Reply, TestRequest } from './http.ts';
import { KEY_OF, serveNotes } from './notes.ts';

const test = suite('HTTP rules of every route');

const served = await serveNotes();
const { request, bare, faults, notes } = served;
const post = (body: object | string, headers: Record<string, string> = {}): Promise<Reply> =>
  request({ method: 'POST', path: '/v1/notes', body, headers });
const write = async (title = 'one'): Promise<string> => ((await post({ title })).json() as { id: string }).id;

interface Problem {
  code: number;
  status: string;
  message: string;
  errors: { json?: Record<string, string[]>; query?: Record<string, string[]> };
}
const problem = (reply: Reply): Problem => reply.json() as Problem;

test.before.each(() => {
  notes.clear();
  for (const fault of Object.keys(faults)) Reflect.deleteProperty(faults, fault);
});
test.after(() => served.stop());

test('creating a resource responds 201 with Location', async () => {
  const reply = await post({ title: 'one' });
  assert.is(reply.status, 201);
  const { id } = reply.json() as { id: string };
  assert.is(reply.headers.location, `/v1/notes/${id}`);
  assert.is(reply.headers['content-type'], 'application/json; charset=utf-8');
});

test('a deletion responds 204 without a body, after its read models have caught up', async () => {
  const id = await write();
  served.waited.length = 0;
  const reply = await request({ method: 'DELETE', path: `/v1/notes/${id}` });
  assert.is(reply.status, 204);
  assert.is(reply.text, '');
  assert.equal(served.waited, [['notes']]);
  assert.is((await request({ method: 'DELETE', path: `/v1/notes/${id}` })).status, 404);
});

test('PUT changes only the sent fields, like PATCH', async () => {
  const id = await write();
  for (const method of ['PUT', 'PATCH']) {
    const reply = await request({ method, path: `/v1/notes/${id}`, body: { color: 'red' } });
    assert.equal(reply.json(), { id, title: 'one', color: 'red' });
  }
});

test('an error body contains code, status and a message', async () => {
  const reply = await bare({ path: '/v1/nothing' });
  assert.equal(reply.json(), {
    code: 404,
    status: 'Not Found',
    message: 'There is nothing at this path.',
    errors: {},
  });
});

test('an error contains a message for every invalid field of a body', async () => {
  const reply = await post({ title: '12345678901', color: 'green', remind_at: 'soon', place: { floor: -1 } });
  assert.is(reply.status, 422);
  assert.equal(problem(reply).errors, {
    json: {
      title: ['Must have at most 10 characters.'],
      color: ['Must be one of: red, blue.'],
      remind_at: ['Must be an ISO 8601 date and time, such as 2026-11-20T15:04:05Z.'],
      'place.floor': ['Must be greater than or equal to 0.'],
    },
  });
});

test('unknown and read-only fields of a body are ignored at every depth', async () => {
  const reply = await post({ id: 'mine', title: 'one', place: { floor: 1, door: 2 }, extra: [1] });
  assert.is(reply.status, 201);
  const { id } = reply.json() as { id: string };
  assert.equal(notes.get(id), { id, title: 'one', place: { floor: 1 } });
});

test('times in a body are accepted in any time zone', async () => {
  const reply = await post({ title: 'one', remind_at: '2026-11-20T18:04:05.5+03:00' });
  assert.is((reply.json() as { remind_at: string }).remind_at, '2026-11-20T15:04:05.500000');
});

test('an absent body is an empty object', async () => {
  const reply = await request({ method: 'POST', path: '/v1/notes' });
  assert.equal(problem(reply).errors.json, { title: ['Missing required field.'] });
  const id = await write();
  assert.is((await request({ method: 'PATCH', path: `/v1/notes/${id}` })).status, 200);
});

test('a JSON body that is not an object is 422', async () => {
  for (const body of ['[]', '"text"', 'null', '1']) {
    const reply = await post(body, { 'content-type': 'application/json' });
    assert.is(reply.status, 422);
    assert.equal(problem(reply).errors.json, { _schema: ['Must be an object.'] });
  }
});

test('a chunked body is accepted', async () => {
  const headers = { 'content-type': 'application/json' };
  const sent: TestRequest = { method: 'POST', path: '/v1/notes', body: '{"title":"one"}', chunked: true };
  assert.is((await request({ ...sent, headers })).status, 201);
  assert.is((await request(sent)).status, 415);
});

test('a body that is not JSON, not UTF-8 or nested too deeply is 400', async () => {
  const headers = { 'content-type': 'application/json' };
  const bodies = ['{', 'title=one', Buffer.from([0x22, 0xff, 0x22]), '['.repeat(100_000) + ']'.repeat(100_000)];
  for (const body of bodies) {
    assert.is((await request({ method: 'POST', path: '/v1/notes', body, headers })).status, 400);
  }
});

test('text that stores cannot preserve is 422', async () => {
  const headers = { 'content-type': 'application/json' };
  for (const title of ['a\\u0000b', '\\ud800']) {
    const reply = await post(`{"title":"${title}"}`, headers);
    assert.is(reply.status, 422);
    assert.equal(problem(reply).errors.json, { title: ['Must be Unicode text without NUL characters.'] });
  }
  assert.is((await post('{"title":"\\ud83d\\ude00"}', headers)).status, 201);
});

test('a number outside the range of safe integers is 422 at every depth', async () => {
  const headers = { 'content-type': 'application/json' };
  const sentence = 'Must be a number from -9007199254740991 to 9007199254740991.';
  for (const number of ['9007199254740992', '-9007199254740993', '1e30', '1e400']) {
    const reply = await post(`{"title":"one","place":{"floor":1,"deep":[${number}]}}`, headers);
    assert.is(reply.status, 422, number);
    assert.equal(problem(reply).errors.json, { 'place.deep.0': [sentence] });
  }
  assert.is((await post('{"title":"one","place":{"floor":9007199254740991}}', headers)).status, 201);
});

test('a body with too many unstorable texts gets errors for the first hundred', async () => {
  const texts = Array.from({ length: 15_000 }, () => '"\\u0000"').join(',');
  const reply = await post(`{"title":"one","other":[${texts}]}`, { 'content-type': 'application/json' });
  assert.is(reply.status, 422);
  const errors = Object.entries(problem(reply).errors.json ?? {});
  assert.is(errors.length, 101);
  assert.equal(errors.at(-1), ['_schema', ['14,900 more fields are invalid.']]);
});

test('a map with the key __proto__ is 422', async () => {
  const reply = await post('{"title":"one","other":{"__proto__":1}}', { 'content-type': 'application/json' });
  assert.is(reply.status, 422);
  assert.equal(problem(reply).errors.json, { other: ['Names of fields must not be __proto__.'] });
});

test('a field named __proto__ changes nothing', async () => {
  const reply = await post('{"title":"one","__proto__":{"admin":true}}', { 'content-type': 'application/json' });
  assert.is(reply.status, 201);
  assert.is((reply.json() as { admin?: boolean }).admin, undefined);
});

test('a content type other than JSON is 415, and JSON with charset UTF-8 is accepted', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1', '']) {
    assert.is((await post('{"title":"one"}', { 'content-type': type })).status, 415, type);
  }
  for (const type of ['application/json; charset=utf-8', 'application/merge-patch+json', 'Application/JSON']) {
    assert.is((await post('{"title":"one"}', { 'content-type': type })).status, 201, type);
  }
  assert.is(
    (await post('{"title":"one"}', { 'content-type': 'application/json', 'content-encoding': 'gzip' })).status,
    415,
  );
});

test('a body over 1 MiB is 413, with Content-Length or chunked', async () => {
  const body = JSON.stringify({ title: 'x'.repeat(1_048_576) });
  const headers = { 'content-type': 'application/json' };
  for (const chunked of [false, true]) {
    assert.is((await request({ method: 'POST', path: '/v1/notes', body, headers, chunked })).status, 413);
  }
});

test('for an invalid query parameter, the response is 400 and names the parameter; an unknown query parameter is ignored', async () => {
  const bad: Record<string, Record<string, string[]>> = {
    'page=0': { page: ['Must be greater than or equal to 1.'] },
    'page=01': { page: ['Must be an integer.'] },
    'page=9007199254740992': { page: ['Must be less than or equal to 9007199254740991.'] },
    'page_size=101': { page_size: ['Must be less than or equal to 100.'] },
    'page=1.0&done=yes': { page: ['Must be an integer.'], done: ['Must be a boolean.'] },
    'page=1&page=2': { page: ['Must be given once.'] },
    'after=2026-02-30': { after: ['Must be an ISO 8601 date and time, such as 2026-11-20T15:04:05Z.'] },
  };
  for (const [search, sentences] of Object.entries(bad)) {
    const reply = await request({ path: `/v1/notes?${search}` });
    assert.is(reply.status, 400);
    assert.equal(problem(reply).errors.query, sentences);
  }
  assert.is((await request({ path: '/v1/notes?colour=red' })).status, 200);
});

test('a page beyond the end is empty and has a previous page', async () => {
  await write();
  const reply = await request({ path: '/v1/notes?page=3&page_size=1' });
  assert.equal(reply.json(), {
    notes: [],
    pagination: { page: 3, page_size: 1, total_pages: 1, total_items: 1, has_next: false, has_prev: true },
  });
});

test('a request that breaks several rules gets the error of the first rule in a fixed order', async () => {
  const long = 'x'.repeat(1_048_577);
  const all = { authorization: KEY_OF.viewer, accept: 'text/html', 'content-type': 'text/plain' };
  const editor = { ...all, authorization: KEY_OF.editor };
  const json = { ...editor, accept: '*/*', 'content-type': 'application/json' };
  const path = '/v1/notes/unknownnote1';
  const steps: [number, TestRequest][] = [
    [404, { method: 'TRACE', path: '/v1/nothing', headers: {}, body: long }],
    [405, { method: 'TRACE', path, headers: {} }],
    [401, { method: 'PATCH', path, headers: { ...all, authorization: 'wrong' }, body: long }],
    [403, { method: 'PATCH', path, headers: all, body: long }],
    [406, { method: 'PATCH', path, headers: editor, body: long }],
    [413, { method: 'PATCH', path, headers: { ...editor, accept: '*/*' }, body: long }],
    [415, { method: 'PATCH', path, headers: { ...editor, accept: '*/*' }, body: 'x' }],
    [400, { method: 'PATCH', path, headers: json, body: 'x' }],
    [404, { method: 'PATCH', path, headers: json, body: '{"title":1}' }],
    [422, { method: 'PATCH', path: `/v1/notes/${await write()}`, headers: json, body: '{"title":1}' }],
  ];
  for (const [status, sent] of steps) assert.is((await bare(sent)).status, status, `${status}`);
});

test('a method that the path does not support is 405 with Allow', async () => {
  const reply = await bare({ method: 'DELETE', path: '/v1/notes' });
  assert.is(reply.status, 405);
  assert.is(reply.headers.allow, 'GET, HEAD, POST');
  assert.is((await bare({ method: 'OPTIONS', path: '/health/live' })).headers.allow, 'GET, HEAD');
});

test('paths are case-sensitive and may end with a slash', async () => {
  assert.is((await request({ path: '/V1/notes' })).status, 404);
  assert.is((await request({ path: '/v1/notes/' })).status, 200);
});

test('a path that cannot be decoded is 400', async () => {
  const reply = await request({ path: '/v1/notes/%E0%A4%A' });
  assert.is(reply.status, 400);
  assert.is(problem(reply).message, 'The path is not validly encoded.');
});

test('the response for an unknown path is a page for browsers, and JSON for API clients', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const page = await bare({ path: '/nothing', headers: { accept } });
  assert.equal([page.status, page.headers['content-type']], [404, 'text/html; charset=utf-8']);
  const json = await bare({ path: '/v1/nothing', headers: { accept } });
  assert.equal([json.status, problem(json).code], [404, 404]);
});

test('a malformed id is 404', async () => {
  for (const id of ['x', 'UPPERCASE123', '%00', '..%2f..%2fetc']) {
    assert.is((await request({ path: `/v1/notes/${id}` })).status, 404, id);
  }
});

test('an API key is accepted raw or as Bearer, and in no other form', async () => {
  const status = async (headers: Record<string, string>) => (await bare({ path: '/v1/notes', headers })).status;
  assert.is(await status({ authorization: KEY_OF.viewer }), 200);
  assert.is(await status({ authorization: `Bearer ${KEY_OF.viewer}` }), 200);
  assert.is(await status({}), 401);
  assert.is(await status({ authorization: '' }), 401);
  assert.is(await status({ authorization: 'Bearer ' }), 401);
  assert.is(await status({ authorization: 'Basic dmlld2VyLWtleTo=' }), 401);
  const refused = await bare({ path: '/v1/notes' });
  assert.is(refused.headers['www-authenticate'], 'Bearer');
});

test('a route with an optional key uses a valid key and refuses an invalid one', async () => {
  const sent: TestRequest = { method: 'POST', path: '/v1/letters', body: { text: 'hello' } };
  assert.equal((await bare(sent)).json(), { text: 'hello', role: null });
  assert.equal((await request(sent)).json(), { text: 'hello', role: 'editor' });
  assert.is((await bare({ ...sent, headers: { authorization: 'wrong' } })).status, 401);
});

test('HEAD responds like GET, without the body', async () => {
  const id = await write();
  const path = `/v1/notes/${id}`;
  const [get, head] = await Promise.all([request({ path }), request({ method: 'HEAD', path })]);
  assert.is(head.status, 200);
  assert.is(head.text, '');
  assert.is(head.headers['content-length'], get.headers['content-length']);
  assert.is(head.headers.etag, get.headers.etag);
});

test('a response that the client already has is 304', async () => {
  const path = `/v1/notes/${await write()}`;
  const { etag = '' } = (await request({ path })).headers;
  assert.match(etag, /^W\/"/);
  for (const header of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
    const reply = await request({ path, headers: { 'if-none-match': header } });
    assert.is(reply.status, 304, header);
    assert.is(reply.text, '');
    assert.is(reply.headers.etag, etag);
  }
  await request({ method: 'PATCH', path, body: { title: 'two' } });
  assert.is((await request({ path, headers: { 'if-none-match': etag } })).status, 200);
});

test('each kind of domain error has its own HTTP status', async () => {
  const codes: [Error, number][] = [
    [new IllegalState('Only firing alerts can be acknowledged.'), 400],
    [new Forbidden('Credit limit exceeded'), 403],
    [new Conflict('The name is taken.'), 409],
    [Invalid.field('title', 'Is taken.'), 422],
    [new Invalid({ query: { start: ['Must not be after the end.'] } }), 400],
  ];
  for (const [error, code] of codes) {
    faults.make = error;
    const reply = await post({ title: 'one' });
    assert.is(reply.status, code);
    assert.is(problem(reply).message, error.message);
  }
});

test('an unavailable store is 503 with Retry-After', async () => {
  for (const error of [
    new StoreUnavailable('disk full'),
    new ReadModelUnavailable('notes'),
    new ReadStoreUnavailable('notes'),
  ]) {
    faults.make = error;
    const reply = await post({ title: 'one' });
    assert.is(reply.status, 503);
    assert.ok(Number(reply.headers['retry-after']) > 0);
  }
});

test('the response to an unexpected error is 500 without the cause, and the log contains the cause', async () => {
  faults.make = new TypeError('x of undefined');
  const reply = await post({ title: 'one' });
  assert.is(reply.status, 500);
  assert.not.match(reply.text, /undefined|at /);
  assert.ok(served.logged.some((line) => line.includes('x of undefined')));
});

test('a write whose read model is late is 202 with Location and id', async () => {
  for (const error of [
    new ReadModelLate('notes'),
    new ReadModelUnavailable('notes'),
    new ReadStoreUnavailable('notes'),
  ]) {
    faults.show = error;
    const reply = await post({ title: 'one' });
    assert.is(reply.status, 202);
    const { id, message } = reply.json() as { id: string; message: string };
    assert.is(reply.headers.location, `/v1/notes/${id}`);
    assert.match(message, 'The change is stored');
    assert.ok(notes.has(id));
  }
  const [id = ''] = notes.keys();
  const changed = await request({ method: 'PATCH', path: `/v1/notes/${id}`, body: { title: 'two' } });
  assert.is(changed.status, 202);
  assert.is(changed.headers.location, `/v1/notes/${id}`);
  assert.is((changed.json() as { id: string }).id, id);
});

test('a read from a missing read model is 503', async () => {
  const id = await write();
  faults.show = new ReadModelUnavailable('notes');
  assert.is((await request({ path: `/v1/notes/${id}` })).status, 503);
});

test('the request id is in the response, the log line and the context', async () => {
  const given = await post({ title: 'one' }, { 'x-request-id': 'trace-1' });
  assert.is(given.headers['x-request-id'], 'trace-1');
  assert.is(served.contexts.at(-1)?.correlationId, 'trace-1');
  assert.ok(served.logged.some((line) => line.includes('"requestId":"trace-1"')));
  const own = await post({ title: 'one' }, { 'x-request-id': 'not an id\t' });
  assert.match(own.headers['x-request-id'] as string, /^[0-9a-f-]{36}$/);
});

test('the origin of a write (client address and user agent) is encrypted with a key of the organization and month', async () => {
  await post({ title: 'one' }, { 'user-agent': 'curl/8' });
  const context = served.contexts.at(-1);
  const { clientAddress, userAgent } = context ?? {};
  const location = (field: string) => ({ organizationId: context?.organizationId ?? '', field });
  assert.is(clientAddress && (await served.keys.open(clientAddress, location('client_address'))), '127.0.0.1');
  assert.is(userAgent && (await served.keys.open(userAgent, location('user_agent'))), 'curl/8');
  assert.is(clientAddress?.key, clientKey('clients', context?.organizationId ?? '', context?.now ?? ''));
});

test('the log contains no secrets', async () => {
  served.logged.length = 0;
  await post({ title: 'hush' }, { 'user-agent': 'curl/8', cookie: 'session=1' });
  await request({ path: '/v1/notes?token=hush' });
  await bare({ path: '/v1/notes', headers: { authorization: 'wrong-key' } });
  assert.is(served.logged.length, 3);
  const log = served.logged.join('');
  for (const secret of [KEY_OF.editor, 'hush', 'wrong-key', 'curl/8', 'session=1']) {
    assert.not.match(log, secret);
  }
});

test('long paths are truncated in the log', async () => {
  served.logged.length = 0;
  await request({ path: `/v1/${'x'.repeat(14_000)}?token=hush` });
  const [line = ''] = served.logged;
  assert.match(line, '"path":"/v1/xxx');
  assert.ok(line.length < 600, line);
});

test('only responses to successful reads may be cached, only in private caches, and only with revalidation', async () => {
  const id = await write();
  const read = await request({ path: `/v1/notes/${id}` });
  assert.is(read.headers['cache-control'], 'private, no-cache');
  const again = await request({ path: `/v1/notes/${id}`, headers: { 'if-none-match': String(read.headers.etag) } });
  assert.equal([again.status, again.headers['cache-control']], [304, 'private, no-cache']);
  for (const reply of [
    await post({ title: 'one' }),
    await request({ method: 'DELETE', path: `/v1/notes/${id}` }),
    await request({ path: '/v1/notes/nonotehere00' }),
    await bare({ path: '/v1/notes' }),
    await request({ path: '/nothing' }),
    await bare({ path: '/health/ready' }),
  ])
    assert.is(reply.headers['cache-control'], 'no-store', reply.text);
});

test('responses have the headers of helmet and do not name the framework', async () => {
  const { headers } = await request({ path: '/v1/notes' });
  assert.is(headers['x-content-type-options'], 'nosniff');
  assert.is(headers['content-security-policy'], "default-src 'none';frame-ancestors 'none'");
  assert.ok(headers['strict-transport-security']);
  assert.is(headers['x-powered-by'], undefined);
});

test.run();
