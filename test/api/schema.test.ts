import { Type } from '@sinclair/typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withCheck, choice, commaList, httpUrl, Id, instantIn, nullable, partial, text } from '../../api/schema.ts';
import { compile, compileBody, compileQuery } from '../../http/routes/validate.ts';

const test = suite('error messages of schemas');

/** Returns the error messages for one field. */
const about = (schema: Parameters<typeof nullable>[0], value: unknown): string[] | null =>
  compile(Type.Object({ field: schema }))({ field: value })?.['field'] ?? null;

test('the length of text is counted in characters', () => {
  assert.is(about(text(5), '😀😀😀😀😀'), null);
  assert.equal(about(text(5), '😀😀😀😀😀😀'), ['Must have at most 5 characters.']);
  assert.equal(about(text(5, { min: 1 }), ''), ['Must not be empty.']);
  assert.equal(about(text(5, { min: 2 }), 'a'), ['Must have at least 2 characters.']);
});

test('a value of the wrong type gets a single error message', () => {
  assert.equal(about(text(5, { min: 1 }), 1), ['Must be a string.']);
  assert.equal(about(nullable(choice(['a', 'b'])), 1), ['Must be a string or null.']);
  assert.equal(about(Type.Integer({ minimum: 30 }), '30'), ['Must be an integer.']);
  assert.equal(about(Type.Integer({ minimum: 30 }), 30.5), ['Must be an integer.']);
});

test('text that must not be empty must not consist of whitespace of any kind either', () => {
  const blanks = [' ', '\t\n', '\u00a0', '\u3000', '\u200b\u200d', '\u200e\u202e\u2069', '\ufeff', '\u00ad', '\u3164'];
  for (const blank of [...blanks, '\u115f\u1160', '\uffa0', '\u2800', '\ufe0f', '\u{e0020}', '\u034f']) {
    assert.equal(about(text(9, { min: 1 }), blank), ['Must not be blank.'], JSON.stringify(blank));
    assert.is(about(text(9), blank), null);
  }
  for (const shown of [' a ', '\u200fא', '👩\u200d💻', 'ㄱ\u3164', '.'])
    assert.is(about(text(9, { min: 1 }), shown), null);
});

test('a value that violates several schemas gets a single error message', () => {
  const web = { type: 'object', allOf: [{ properties: { field: { type: 'string' } } }] };
  const both = (field: object) =>
    compile({ ...web, properties: { field } } as unknown as Parameters<typeof compile>[0]);
  assert.equal(both(nullable(text(5)))({ field: 5 }), { field: ['Must be a string.'] });
  const limits = compile({
    ...Type.Object({ field: Type.Number({ minimum: 1, maximum: 120 }) }),
    allOf: [{ properties: { field: { minimum: 2, maximum: 30 } } }],
  });
  assert.equal(limits({ field: 121 }), { field: ['Must be less than or equal to 30.'] });
  assert.equal(limits({ field: 0 }), { field: ['Must be greater than or equal to 2.'] });
});

test('error messages for numbers contain their bounds', () => {
  assert.equal(about(Type.Integer({ minimum: 30 }), 29), ['Must be greater than or equal to 30.']);
  assert.equal(about(Type.Number({ maximum: 10 }), 10.1), ['Must be less than or equal to 10.']);
  assert.equal(about(Type.Number({ exclusiveMinimum: 0 }), 0), ['Must be greater than 0.']);
});

test('null is accepted only where the schema allows it', () => {
  for (const schema of [text(5), choice(['a']), instantIn(), httpUrl(50), Type.Object({}), Type.Boolean()]) {
    assert.is(about(nullable(schema), null), null);
    assert.ok(about(schema, null));
  }
});

test('the error message for an invalid choice lists the choices', () => {
  assert.equal(about(choice(['up', 'down']), 'left'), ['Must be one of: up, down.']);
  assert.equal(about(nullable(choice(['up', 'down'])), 'left'), ['Must be one of: up, down.']);
  assert.equal(about(Type.Union([Type.Literal('up'), Type.Literal('down')]), 'left'), ['Must be one of: up, down.']);
});

test('a URL must be http or https with a host', () => {
  for (const url of ['http://localhost:3000/a?b#c', 'https://例え.jp/', 'HTTPS://EXAMPLE.COM', 'http://[::1]/']) {
    assert.is(about(httpUrl(100), url), null, url);
  }
  for (const url of [
    'ftp://example.com',
    'example.com',
    'http://',
    'https:// a',
    'http://a b/',
    'http://a\n/',
    'http://a/\u0000',
    'http://a:0/',
    'http://a:65536/',
    ' http://a/',
  ]) {
    assert.equal(about(httpUrl(100), url), ['Must be an http or https URL.'], url);
  }
});

test('a custom validation has its own error message, and runs only on values of the type in the schema', () => {
  const even = withCheck(Type.Integer(), (value) => value % 2 === 0, 'Must be even.');
  assert.is(about(even, 2), null);
  assert.equal(about(even, 3), ['Must be even.']);
  assert.equal(about(even, 'x'), ['Must be an integer.']);
  assert.is(about(nullable(even), null), null);
  const zone = withCheck(text(50), (value) => value.startsWith('E'), 'Must be a zone.');
  assert.equal(about(zone, 5), ['Must be a string.']);
});

test('a malformed identifier has its own error message', () => {
  assert.is(about(Id, 'k3v9x0q2m7ab'), null);
  assert.equal(about(Id, 'short'), ['Must be an identifier.']);
});

test('errors name fields in objects, arrays and maps by dotted path', () => {
  const validate = compile(
    Type.Object({
      http: Type.Object({ method: choice(['GET']) }),
      ids: Type.Array(Id),
      statuses: Type.Record(Type.String(), choice(['up'])),
    }),
  );
  assert.equal(validate({ http: { method: 'PUT' }, ids: ['k3v9x0q2m7ab', 'x'], statuses: { 'a/b~c': 'left' } }), {
    'http.method': ['Must be one of: GET.'],
    'ids.1': ['Must be an identifier.'],
    'statuses.a/b~c': ['Must be one of: up.'],
  });
});

test('errors name missing fields by path, or the whole value if it has no fields', () => {
  const validate = compile(Type.Object({ a: Type.Object({ b: Type.String() }) }));
  assert.equal(validate({}), { a: ['Missing required field.'] });
  assert.equal(validate({ a: {} }), { 'a.b': ['Missing required field.'] });
  assert.equal(validate([]), { _schema: ['Must be an object.'] });
});

test('times are parsed in every form of ISO 8601 that clients send', () => {
  const validate = compile(Type.Object({ from: instantIn(), to: instantIn({ end: true }) }));
  const range = (from: string, to: string): unknown => {
    const value = { from, to };
    assert.is(validate(value), null);
    return [value.from, value.to];
  };
  assert.equal(range('2026-11-20', '2026-11-20'), ['2026-11-20T00:00:00.000000', '2026-11-20T23:59:59.999999']);
  assert.equal(range('2026-11-20T15:04Z', '2026-11-20T15:04:05.1234567+01:30'), [
    '2026-11-20T15:04:00.000000',
    '2026-11-20T13:34:05.123456',
  ]);
  assert.ok(validate({ from: '2026-02-29', to: 'now' }));
  for (const never of [
    '0000-06-01',
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+03:00',
    '9999-12-31T23:00:00-03:00',
  ]) {
    assert.equal(Object.keys(validate({ from: never, to: never }) ?? {}), ['from', 'to'], never);
  }
});

test('times in arrays and maps are converted too', () => {
  const body = { all: ['2026-11-20'] };
  assert.is(compile(Type.Object({ all: Type.Array(instantIn()) }))(body), null);
  assert.equal(body.all, ['2026-11-20T00:00:00.000000']);
});

test('unknown fields are removed from a body, but keys of maps stay', () => {
  const validate = compileBody(
    Type.Object({
      name: Type.String(),
      inner: Type.Object({ a: Type.Optional(Type.String()) }),
      list: Type.Array(Type.Object({ b: Type.Optional(Type.Integer()) })),
      maybe: nullable(Type.Object({ c: Type.Optional(Type.Integer()) })),
      map: Type.Record(Type.String(), Type.Unknown()),
      open: Type.Object({ d: Type.Optional(Type.Integer()) }, { additionalProperties: true }),
    }),
  );
  const body = {
    name: 'x',
    id: 'mine',
    inner: { a: 'a', z: 1 },
    list: [{ b: 1, z: 1 }],
    maybe: { c: 1, z: 1 },
    map: { z: 1 },
    open: { d: 1, z: 1 },
  };
  assert.is(validate(body), null);
  assert.equal(body, {
    name: 'x',
    inner: { a: 'a' },
    list: [{ b: 1 }],
    maybe: { c: 1 },
    map: { z: 1 },
    open: { d: 1, z: 1 },
  });
});

test('the body of PATCH requires nothing and accepts everything that POST accepts', () => {
  const validate = compile(partial(Type.Object({ name: text(5), url: Type.Optional(nullable(httpUrl(50))) })));
  assert.is(validate({}), null);
  assert.is(validate({ url: null }), null);
  assert.equal(validate({ name: 'too long' }), { name: ['Must have at most 5 characters.'] });
});

test('numbers, booleans and comma lists in a query are parsed strictly', () => {
  const { read } = compileQuery(
    Type.Object({
      page: Type.Optional(Type.Integer()),
      share: Type.Optional(Type.Number()),
      all: Type.Optional(Type.Boolean()),
      status: Type.Optional(commaList(choice(['up', 'down']))),
    }),
  );
  assert.equal(read('page=2&share=.5&all=false&status=up,down').query, {
    page: 2,
    share: 0.5,
    all: false,
    status: ['up', 'down'],
  });
  for (const page of ['', '01', '+1', '-01', '1.0', '1e3', '0x1', ' 1', 'NaN', '9'.repeat(400)]) {
    assert.equal(read(`page=${encodeURIComponent(page)}`).broken, { page: ['Must be an integer.'] }, page);
  }
  for (const share of ['', '.', '01.5', '%2B1', 'Infinity', '1,5']) {
    assert.equal(read(`share=${share}`).broken, { share: ['Must be a number.'] }, share);
  }
  for (const all of ['', '1', 'TRUE', 'yes']) {
    assert.equal(read(`all=${all}`).broken, { all: ['Must be a boolean.'] }, all);
  }
  assert.equal(read('status=left').broken, { status: ['Must be one of: up, down.'] });
  assert.equal(read('status=up,left').broken, { 'status.1': ['Must be one of: up, down.'] });
});

test('a repeated query parameter is refused, and an unknown query parameter is ignored', () => {
  const { read } = compileQuery(Type.Object({ page: Type.Optional(Type.Integer()) }));
  assert.equal(read('page=1&page=2').broken, { page: ['Must be given once.'] });
  assert.equal(read('colour=red&colour=blue'), { query: {}, broken: null });
});

test.run();
