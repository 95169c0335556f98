import type { TSchema } from '@sinclair/typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { v1Routes } from '../../api/v1/index.ts';
import type { Reply } from '../api/http.ts';
import { startService } from '../api/service.ts';

/**
 * Tests with bodies and queries that are designed to block the service. Each is about as large as a request can be.
 * Before there were limits, refusing such a request took seconds to minutes, or the response was many times as large as
 * the request.
 */
const test = suite('requests designed to block the service');

const service = await startService();
test.after(() => service.stop());
const { id: page } = (await service.request('POST', '/v1/pages', { body: { name: 'Shop' } })).json() as { id: string };

interface Problem {
  message: string;
  errors: { json?: Record<string, string[]>; query?: Record<string, string[]> };
}
const problem = (reply: Reply): Problem => reply.json() as Problem;
const JSON_TYPE = { 'content-type': 'application/json' };
const post = (path: string, body: string): Promise<Reply> =>
  service.request('POST', path, { body, headers: JSON_TYPE });
const logPast = (body: string): Promise<Reply> => post(`/v1/pages/${page}/incidents/log-past-incident`, body);

/** Returns a text of many different characters. Converting it to an ASCII host name takes quadratic time. */
const ideographs = (count: number): string =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + (index % 20_000))).join('');

test('a body has at most 20,000 values, not counting names of fields', async () => {
  for (const items of [`${'{},'.repeat(340_000)}{}`, `${'1,'.repeat(520_000)}1`, `${'"",'.repeat(340_000)}""`]) {
    const reply = await logPast(`{"name":"x","impact":"major","incident_updates":[${items}]}`);
    assert.is(reply.status, 400);
    assert.is(problem(reply).message, 'The body has more than 20,000 values.');
  }
  // The object and its arrays of 99 items count as values too.
  const arrays = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"f${index}":[${'0,'.repeat(98)}0]`).join(',')}}`;
  assert.is((await post('/v1/pages', arrays(199))).status, 422);
  assert.is((await post('/v1/pages', arrays(200))).status, 400);
});

test('quotes, brackets and commas in strings do not count as values', async () => {
  const text = '{\\"[,:'.repeat(10_000);
  const reply = await post(
    '/v1/pages',
    `{ "name" : "x", "unknown":["${text}\\\\",${'[]'.repeat(1)},{ }, true , -1e3] }`,
  );
  assert.is(reply.status, 200);
});

test('a body can have at most 32 levels', async () => {
  const nested = (levels: number): string =>
    `{"name":"x","unknown":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  assert.ok((await post('/v1/pages', nested(32))).status < 300);
  const reply = await post('/v1/pages', nested(33));
  assert.is(reply.status, 400);
  assert.is(problem(reply).message, 'The body is nested deeper than 32 levels.');
  assert.is((await post('/v1/pages', nested(500_000))).status, 400);
});

test('an object has at most 1,000 fields, and the error names the object', async () => {
  const map = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`k${index}`, 'x']));
  const reply = await post(
    `/v1/pages/${page}/incidents`,
    JSON.stringify({ name: 'x', body: 'x', status: 'investigating', components: map }),
  );
  assert.is(reply.status, 422);
  assert.equal(problem(reply).errors.json, { components: ['Must have at most 1,000 fields.'] });
});

test('array items beyond the maximum length are not validated, but all other fields are', async () => {
  const reply = await logPast(JSON.stringify({ name: 7, impact: 'major', incident_updates: Array(9_000).fill({}) }));
  assert.is(reply.status, 422);
  const { name, incident_updates, _schema } = problem(reply).errors.json ?? {};
  assert.equal(name, ['Must be a string.']);
  assert.equal(incident_updates, ['Must have at most 500 items.']);
  // 500 updates lack three fields each, and there are two more errors. The response names only 100 of all these errors.
  assert.equal(_schema, ['1,402 more fields are invalid.']);
});

test('a validation error names at most 100 invalid fields and the number of all others', async () => {
  const components = Object.fromEntries(Array.from({ length: 37 }, (_, index) => [`c${index}`, 'x']));
  const reply = await logPast(
    JSON.stringify({ name: 'x', impact: 'major', incident_updates: Array(500).fill({ components }) }),
  );
  const named = Object.entries(problem(reply).errors.json ?? {});
  assert.is(named.length, 101);
  assert.equal(named.at(-1), ['_schema', ['19,900 more fields are invalid.']]);
});

test('the limit of 100 fields also applies to domain rules and unstorable texts', async () => {
  const components = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`c${index}`, 'major_outage']));
  const update = { body: 'x', status: 'resolved', created_at: '2026-01-01', components };
  const unknown = await logPast(JSON.stringify({ name: 'x', impact: 'major', incident_updates: [update] }));
  assert.is(unknown.status, 422);
  assert.equal(Object.entries(problem(unknown).errors.json ?? {}).at(-1), ['_schema', ['1 more field is invalid.']]);
  const name = 'n'.repeat(900_000);
  const nul = await post('/v1/pages', `{"name":"x","unknown":{"${name}":[${'"\\u0000",'.repeat(15_000)}""]}}`);
  assert.is(nul.status, 422);
  assert.ok(nul.text.length < 10_000);
});

test('validation errors repeat at most 300 characters of a field name', async () => {
  const components = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${n}${'n'.repeat(90_000)}`, 'x']));
  const body = { name: 'x', body: 'x', status: 'investigating', components };
  const reply = await post(`/v1/pages/${page}/incidents`, JSON.stringify(body));
  const fields = Object.keys(problem(reply).errors.json ?? {});
  assert.is(fields.length, 10);
  for (const field of fields) assert.match(field, /^components\.\dn{288}…$/);
});

test('the format of a text that is too long is not validated', async () => {
  const reply = await post('/v1/pages', JSON.stringify({ name: 'x', domain: ideographs(340_000) }));
  assert.equal(problem(reply).errors.json, { domain: ['Must have at most 100 characters.'] });
  const url = await post('/v1/pages', JSON.stringify({ name: 'x', url: `https://${ideographs(340_000)}/` }));
  assert.equal(problem(url).errors.json, {
    url: ['Must have at most 200 characters.', 'Must be an http or https URL.'],
  });
});

test('long texts that nearly match a pattern or format are refused quickly', async () => {
  const long = 900_000;
  const texts: Record<string, string> = {
    subdomain: `a${'-'.repeat(long)}`,
    language: 'e'.repeat(long),
    time_zone: 'A/'.repeat(long / 2),
    notifications_from_email: `a@${'a.'.repeat(long / 2)}`,
    css_no_data: `#${'0'.repeat(long)}`,
    ip_restrictions: '1.1.1.1,'.repeat(long / 8),
  };
  for (const [field, text] of Object.entries(texts)) {
    const reply = await post('/v1/pages', JSON.stringify({ name: 'x', [field]: text }));
    assert.is(reply.status, 422, field);
    assert.equal(Object.keys(problem(reply).errors.json ?? {}), [field]);
  }
});

test('a query can have at most 1,000 parameters, and a list in a query at most 100 items', async () => {
  const many = await service.request('GET', `/v1/checks?${'a&'.repeat(1_001)}`);
  assert.is(many.status, 400);
  assert.equal(problem(many).errors.query, { _schema: ['Must have at most 1,000 parameters.'] });
  const list = await service.request('GET', `/v1/checks/all-results?status=${'x,'.repeat(5_000)}ok`);
  assert.is(list.status, 400);
  assert.equal(problem(list).errors.query?.['status'], ['Must have at most 100 items.']);
});

test('a request whose query or headers exceed 16 KiB gets 431', async () => {
  assert.is((await service.request('GET', `/v1/checks?${'a=1&'.repeat(250_000)}`)).status, 431);
  const headers = { accept: 'text/html,'.repeat(100_000) };
  assert.is((await service.request('GET', '/v1/checks', { headers })).status, 431);
  const listed = { accept: `${'a/b;q=0.1,'.repeat(1_000)}application/json`, 'if-none-match': '"a",'.repeat(1_000) };
  assert.is((await service.request('GET', '/v1/checks', { headers: listed })).status, 200);
});

test('every array in a request schema has a maximum length', () => {
  const unbounded: string[] = [];
  const visit = (schema: unknown, place: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { type, items, maxItems } = schema as TSchema & { type?: unknown; items?: unknown; maxItems?: unknown };
    if (type === 'array' && items !== undefined && maxItems === undefined) unbounded.push(place);
    for (const [key, value] of Object.entries(schema)) {
      if (key !== 'examples' && key !== 'published') visit(value, `${place}.${key}`);
    }
  };
  for (const { methods, path, body, query } of v1Routes) {
    visit(body, `${methods.join()} ${path} body`);
    visit(query, `${methods.join()} ${path} query`);
  }
  assert.equal(unbounded, []);
});

test.run();
