import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { JsonAssertion, WebAssertions } from '../../../domain/check/types/assertions.ts';
import { ProbeFailure } from '../../../probes/engine/probe-failure.ts';
import { judge, type CompleteResponse } from '../../../probes/web/assertions.ts';
import { MAX_JSON_BYTES } from '../../../probes/web/json.ts';

const test = suite('assertions of web checks');

const jsonOf = (value: unknown) => ({ bytes: Buffer.from(JSON.stringify(value)), contentType: 'application/json' });
const ANSWERED: CompleteResponse = {
  status: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', via: ['a', 'b'] as unknown as string },
  tls: { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', not_after: '2026-12-01T00:00:00.000000', days_left: 9 },
  responseTime: 200,
  json: 'The response is larger than 1 MiB, so its JSON was not read.',
};
const masked = (text: string): string => text.replaceAll('secret', '********');
const judged = (
  assertions: WebAssertions,
  answered: Partial<CompleteResponse> = {},
  body: ProbeFailure | null = null,
) => {
  const failure = judge({ ...ANSWERED, ...answered }, assertions, body, masked);
  return failure && [failure.reason, failure.message];
};

test('a web check accepts a status below 400 unless other statuses are configured', () => {
  assert.is(judged({}, { status: 399 }), null);
  assert.equal(judged({}, { status: 404 }), ['status', 'The server answered 404 Not Found.']);
  assert.equal(judged({}, { status: 499 }), ['status', 'The server answered 499.']);
  const status_codes = [200, '400-404'];
  for (const status of [200, 400, 402, 404]) assert.is(judged({ status_codes }, { status }), null);
  assert.equal(judged({ status_codes }, { status: 201 }), [
    'status',
    'The server answered 201 Created, not 200, 400-404.',
  ]);
  assert.equal(judged({ status_codes }, { status: 405 })?.[0], 'status');
});

test('after a wrong status a web check does not search the text, but checks all other assertions', () => {
  const body = new ProbeFailure('failed', 'content', 'Text "ok" was not found in the response.');
  assert.equal(judged({}, {}, body), ['content', 'Text "ok" was not found in the response.']);
  assert.equal(judged({}, { status: 500 }, body), ['status', 'The server answered 500 Internal Server Error.']);
  assert.equal(judged({ max_response_time: 199, min_certificate_days: 10, headers: { via: null } }, { status: 500 }), [
    'status',
    'The server answered 500 Internal Server Error. The response took 200 ms, more than 199 ms. ' +
      'The certificate expires on 2026-12-01, in 9 days, less than 10. Header via is in the response.',
  ]);
});

test('assertions of a web check limit the response time and the remaining days of a certificate', () => {
  assert.is(judged({ max_response_time: 200, min_certificate_days: 9 }), null);
  assert.is(judged({ max_response_time: 199 })?.[0], 'response_time');
  assert.is(judged({ min_certificate_days: 10 })?.[0], 'certificate');
  const issuer_expires_first = { subject: 'R11', not_after: '2026-11-27T00:00:00.000000', days_left: 5 };
  const tls = ANSWERED.tls && { ...ANSWERED.tls, issuer_expires_first };
  assert.is(judged({ min_certificate_days: 5 }, { tls }), null);
  assert.equal(judged({ min_certificate_days: 9 }, { tls }), [
    'certificate',
    'The certificate of the issuer "R11" expires on 2026-11-27, in 5 days, less than 9.',
  ]);
  assert.match(
    judged({ min_certificate_days: 10 }, { tls })?.[1] ?? '',
    /less than 10\. The certificate expires on 2026-12-01/,
  );
  const plain = ['certificate', 'The connection has no certificate: the URL is not https.'];
  assert.equal(judged({ min_certificate_days: 0 }, { tls: null }), plain);
});

test('a header assertion of a web check requires a value, a substring, or absence', () => {
  const headers = {
    'Content-Type': 'application/json',
    via: 'a, b',
    'Cache-Control': { contains: 'store' },
    server: null,
  };
  assert.is(judged({ headers }), null);
  const broken: [WebAssertions['headers'], string][] = [
    [{ 'Content-Type': 'application/JSON' }, 'Header Content-Type is not "application/JSON".'],
    [{ 'cache-control': { contains: 'public' } }, 'Header cache-control does not contain "public".'],
    [{ server: '' }, 'Header server is not in the response.'],
    [{ server: { contains: '' } }, 'Header server is not in the response.'],
    [{ VIA: null }, 'Header VIA is in the response.'],
    [{ constructor: 'x' }, 'Header constructor is not in the response.'],
  ];
  for (const [wanted, sentence] of broken) assert.equal(judged({ headers: wanted ?? {} }), ['header', sentence]);
});

const DOCUMENT = { status: 'degraded', queue: 3, tags: ['a', { b: 1 }], nothing: null, list: [{ n: 1 }, { n: 5 }] };
const judgedJson = (...json: JsonAssertion[]) => judged({ json }, { json: jsonOf(DOCUMENT) });

test('every operator of JSON assertions is supported', () => {
  const holding: JsonAssertion[] = [
    { path: '$.status' },
    { path: '$.nothing' },
    { path: '$.missing', operator: 'not_exists' },
    { path: '$.status', value: 'degraded' },
    { path: '$.nothing', value: null },
    { path: '$.tags', value: ['a', { b: 1 }] },
    { path: '$.status', operator: 'not_equals', value: 'down' },
    { path: '$.status', operator: 'contains', value: 'grad' },
    { path: '$.tags', operator: 'contains', value: { b: 1 } },
    { path: '$.queue', operator: 'greater_than', value: 2.5 },
    { path: '$.queue', operator: 'less_than', value: 4 },
    { path: '$.list[*].n', operator: 'less_than', value: 6 },
  ];
  for (const assertion of holding) assert.is(judgedJson(assertion), null, JSON.stringify(assertion));
  const broken: [JsonAssertion, string][] = [
    [{ path: '$.missing' }, '$.missing is not in the JSON of the response.'],
    [{ path: '$.missing', value: 1 }, '$.missing is not in the JSON of the response.'],
    [{ path: '$.missing', operator: 'not_equals', value: 1 }, '$.missing is not in the JSON of the response.'],
    [{ path: '$.status', operator: 'not_exists' }, '$.status is in the JSON of the response.'],
    [{ path: '$.status', value: 'ok' }, '$.status is "degraded", not "ok".'],
    [{ path: '$.queue', value: '3' }, '$.queue is 3, not "3".'],
    [{ path: '$.status', operator: 'not_equals', value: 'degraded' }, '$.status is "degraded", which it must not be.'],
    [{ path: '$.status', operator: 'contains', value: 'up' }, '$.status is "degraded", which does not contain "up".'],
    [{ path: '$.queue', operator: 'contains', value: 3 }, '$.queue is 3, which does not contain 3.'],
    [{ path: '$.queue', operator: 'greater_than', value: 3 }, '$.queue is 3, not greater than 3.'],
    [{ path: '$.status', operator: 'less_than', value: 3 }, '$.status is "degraded", not less than 3.'],
    [{ path: '$.list[*].n', operator: 'less_than', value: 5 }, '$.list[*].n is 5, not less than 5.'],
  ];
  for (const [assertion, sentence] of broken)
    assert.equal(judgedJson(assertion), ['json', sentence], JSON.stringify(assertion));
});

test('JSON assertions compare values by meaning: numbers by value, members in any order', () => {
  const text = '{"drift":-0.0,"list":[0,-0],"n":1.0,"big":1e2,"nested":{"a":-0,"b":[{"c":-0}]},"__proto__":1}';
  const of = (assertion: JsonAssertion) =>
    judged({ json: [assertion] }, { json: { bytes: Buffer.from(text), contentType: '' } });
  const same: [string, unknown][] = [
    ['$.drift', 0],
    ['$.list', [0, 0]],
    ['$.n', 1],
    ['$.big', 100],
    ['$.nested', { b: [{ c: 0 }], a: 0 }],
    ['$', JSON.parse(text)],
  ];
  for (const [path, value] of same) {
    assert.is(of({ path, value }), null, path);
    assert.is(of({ path, operator: 'not_equals', value })?.[0], 'json', path);
  }
  assert.is(of({ path: '$.list', operator: 'contains', value: 0 }), null);
  assert.is(of({ path: '$[?@ == 0]', operator: 'exists' }), null);
  const different: [string, unknown][] = [
    ['$.drift', false],
    ['$.drift', null],
    ['$.list', { 0: 0, 1: 0 }],
    ['$.list', [0]],
    ['$.nested', { a: 0 }],
    ['$.nested', { a: 0, b: [{ c: 0 }], d: 0 }],
    ['$.nested', { a: 0, constructor: [{ c: 0 }] }],
    ['$.nested', [0]],
  ];
  for (const [path, value] of different) assert.is(of({ path, value })?.[0], 'json', JSON.stringify(value));
});

test('JSON responses that are valid UTF-8 are decoded as UTF-8, and other JSON responses with the charset in the header', () => {
  const of = (bytes: Buffer, contentType: string) =>
    judged({ json: [{ path: '$.a', value: 'Grüße €' }] }, { json: { bytes, contentType } });
  const utf8 = Buffer.from('{"a":"Grüße €"}');
  const utf16 = Buffer.from('{"a":"Grüße €"}', 'utf16le');
  const latin1 = Buffer.from('{"a":"Gr\xfc\xdfe \x80"}', 'latin1');
  for (const charset of ['iso-8859-1', 'windows-1251', 'us-ascii', 'martian', 'utf-8'])
    assert.is(of(utf8, `application/json; charset=${charset}`), null, charset);
  assert.is(of(utf8, 'text/plain; charset=iso-8859-1'), null);
  assert.is(of(latin1, 'application/json; charset=iso-8859-1'), null);
  assert.is(of(utf16, 'application/json; charset=utf-16le'), null);
  assert.is(of(Buffer.from('{"b":"<meta charset=windows-1251>","a":"Grüße €"}'), 'application/json'), null);
});

test('every failed assertion of a web check is reported', () => {
  assert.equal(judgedJson({ path: '$.a' }, { path: '$.status' }, { path: '$.queue', value: 4 }), [
    'json',
    '$.a is not in the JSON of the response. $.queue is 3, not 4.',
  ]);
});

test('values in sentences of assertions are masked before they are shortened', () => {
  const json = jsonOf({ token: `${'x'.repeat(95)}secret` });
  const [, sentence] = judged({ json: [{ path: '$.token', value: 1 }] }, { json }) ?? [];
  assert.is(sentence, `$.token is "${'x'.repeat(95)}****…, not 1.`);
});

test('a JSON assertion reports a body that is not JSON, too large or too deeply nested', () => {
  const requested = { json: [{ path: '$.a' }, { path: '$.b' }] };
  const of = (text: string | Buffer) => judged(requested, { json: { bytes: Buffer.from(text), contentType: '' } });
  for (const text of ['', '{', '<html>', '{"a": 1,}', 'NaN'])
    assert.equal(of(text), ['json', 'The response is not JSON.']);
  assert.equal(judged(requested), ['json', 'The response is larger than 1 MiB, so its JSON was not read.']);
  const deep = 'The JSON of the response is nested deeper than 100 levels.';
  assert.equal(of('['.repeat(500_000) + ']'.repeat(500_000)), ['json', deep]);
  assert.equal(of(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`), ['json', deep]);
  // Brackets within strings do not count as nesting, and a byte order mark is ignored.
  assert.is(of(`\ufeff{"a": "${'['.repeat(200)}\\"[", "b": ${'['.repeat(99)}${']'.repeat(99)}}`), null);
});

test('neither a response nor a JSON path occupies the process for a long time', () => {
  const bytes = Buffer.from(`[${'[],'.repeat(MAX_JSON_BYTES / 3 - 2)}[]]`);
  const path = '$..[?count(@[*,*,*]) > 9 || @.a]';
  const json = Array.from({ length: 20 }, (): JsonAssertion => ({ path, operator: 'not_exists' }));
  const tooLong = 'The JSON paths take too long in the JSON of the response.';
  assert.equal(judged({ json }, { json: { bytes, contentType: '' } }), ['json', tooLong]);
});

test.run();
