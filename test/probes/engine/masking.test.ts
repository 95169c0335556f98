import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMask, maskedTexts } from '../../../probes/engine/masking.ts';
import { secretFormsOf } from '../../../probes/engine/secret-forms.ts';
import { maskOfSecrets } from '../../../probes/engine/secret-texts.ts';
import { secretsOf } from '../../../probes/web/secrets.ts';

const test = suite('masking secrets');

const AWKWARD = `p"ä/s's +%&<ß>=\\x`;

test('secrets of four or more characters are masked everywhere', () => {
  const mask = createMask(['abcd', 'longer secret', 'xyz', '']);
  assert.is(mask('abcd, xabcdx and longer secret'), '********, x********x and ********');
  assert.is(mask('xyz abc'), 'xyz abc');
  assert.is(mask(''), '');
  assert.is(createMask([])('abcd'), 'abcd');
});

test('a longer secret is masked as a whole, and the asterisks of a masked secret are not masked again', () => {
  assert.is(createMask(['abcd', 'abcdef', '****'])('abcdef abcd'), '******** ********');
});

const forms: [string, string][] = [
  ['in plain text', AWKWARD],
  ['in a URL', encodeURIComponent(AWKWARD)],
  ['in a URL in lower case', encodeURIComponent(AWKWARD).replace(/%../g, (escape) => escape.toLowerCase())],
  ['in a path', encodeURI(AWKWARD)],
  ['in a form', new URLSearchParams({ a: AWKWARD }).toString().slice(2)],
  ['in the query of a URL', new URL(`http://127.0.0.1/?${AWKWARD}`).search.slice(1)],
  ['in JSON', JSON.stringify(AWKWARD)],
  ['in JSON with escaped slashes', JSON.stringify(AWKWARD).replaceAll('/', '\\/')],
  [
    'in JSON with Unicode escapes',
    JSON.stringify(AWKWARD).replace('ä', '\\u00e4').replace('ß', '\\u00DF'.toLowerCase()),
  ],
  [
    'in JSON with Unicode escapes in upper case',
    JSON.stringify(AWKWARD).replace('ä', '\\u00E4').replace('ß', '\\u00DF'),
  ],
  ['in HTML', 'p&quot;ä/s&#39;s +%&amp;&lt;ß&gt;=\\x'],
  ['in base64', Buffer.from(AWKWARD).toString('base64')],
  ['in base64 of its ISO 8859-1 encoding', Buffer.from(AWKWARD, 'latin1').toString('base64')],
  ['in base64url', Buffer.from(AWKWARD).toString('base64url')],
  ['in UTF-8 that is read as ISO 8859-1', Buffer.from(AWKWARD).toString('latin1')],
  [
    'in a URL that is encoded in ISO 8859-1',
    [...Buffer.from(AWKWARD, 'latin1')].map((byte) => escapedByte(byte)).join(''),
  ],
];

function escapedByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[\w.~-]/.test(character) && byte < 0x80 ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

for (const [where, text] of forms) {
  test(`a secret ${where} is masked`, () => {
    const shown = createMask([AWKWARD])(`before ${text} after`).replaceAll('"', '');
    assert.is(shown, 'before ******** after');
  });
}

const LITERAL = String.raw`{"k":"it's\n/a.b(c)"}`;

for (const [where, text] of [
  ['in a literal with single quotes', inspect({ key: LITERAL })],
  ['in a literal whose quotes are escaped', `'${LITERAL.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`],
  ['in JSON within JSON', JSON.stringify({ body: JSON.stringify({ key: LITERAL }) })],
  ['in a regular expression', String(new RegExp(LITERAL.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))],
  ['in a URL that was escaped by two different functions', new URL(`http://a/?t=${encodeURIComponent(LITERAL)}`).href],
  ['in a path that was escaped in part', new URL(`http://a/${LITERAL.replaceAll('\\', '%5c')}`).href],
] as const) {
  test(`a secret ${where} is masked`, () => {
    const shown = createMask([LITERAL])(text);
    assert.match(shown, /\*{8}/);
    assert.not.match(shown, /it.{0,3}s|a.{0,2}b/);
  });
}

test('a secret is found with any combination of URL escapes, including spaces as plus signs', () => {
  const mask = createMask(["p ä's+%"]);
  assert.is(mask("a=p%20ä's+%25&b"), 'a=********&b');
  assert.is(mask("a=p+%C3%A4's%2b%25&b"), 'a=********&b');
  assert.is(mask('100% of p+ä, %zz %41'), '100% of p+ä, %zz %41');
  const many = '%41'.repeat(300_000);
  assert.is(mask(many), many);
});

test('a secret with capital letters is also masked in the lower-case host of a URL', () => {
  assert.is(createMask(['aB3dE-5fgh'])('https://ab3de-5fgh.example.com/'), 'https://********.example.com/');
  assert.is(createMask(['Light'])('a light'), 'a light');
});

test('a secret inside a longer encoded text is found, and the whole text is masked', () => {
  const mask = createMask(['hunter2']);
  for (const before of ['', 'a', 'ab', 'abc', 'user:']) {
    for (const after of ['', 'z', 'zz', ':more']) {
      const text = Buffer.from(`${before}hunter2${after}`).toString('base64');
      assert.is(mask(`a=${text}, x`), 'a=********, x');
    }
  }
});

test('the longest of many secrets with a common prefix is masked', () => {
  const secrets = ['same', 'same-a', 'same-ab', 'same-abcd', 'same-b', 'same-bz', 'samen'];
  const mask = createMask(secrets);
  for (const secret of secrets) assert.is(mask(`(${secret})`), '(********)');
  assert.is(mask('same-abc same-c same-by'), '********c ********-c ********y');
  const long = Array.from({ length: 500 }, (_, index) => `${'a'.repeat(500)}${index}`);
  assert.is(createMask(long)('a'.repeat(100_000)), 'a'.repeat(100_000));
});

test('masking takes linear time, even if a text consists of secrets', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => `secret-${index}-`);
  assert.is(createMask(many)(many.join(' ').repeat(3)).replaceAll(/[* ]/g, ''), '');
});

test('a long secret is found in a long text after shorter texts were masked', () => {
  const long = `${AWKWARD} `.repeat(2_000);
  const mask = createMask([long, 'hunter2']);
  assert.is(mask('hunter2'), '********');
  assert.is(mask(`hunter2 ${AWKWARD}`), `******** ${AWKWARD}`);
  assert.is(mask(`a ${long} b`), 'a ******** b');
  assert.is(mask(JSON.stringify({ long })), '{"long":"********"}');
});

test('no encoded form of a secret is shorter than the secret', () => {
  const alphabet = ['a', '0', '_', ' ', '+', '/', '"', '<', "'", '\\', '\n', 'ä', '€', '🔑', '%'];
  let seed = 1;
  const pick = (): string => {
    seed = (seed * 48_271) % 2_147_483_647;
    return alphabet[seed % alphabet.length] ?? '';
  };
  for (let n = 0; n < 3_000; n++) {
    const secret = Array.from({ length: 1 + (n % 12) }, pick).join('');
    for (const { text } of secretFormsOf(secret))
      assert.ok(text.length >= secret.length, JSON.stringify([secret, text]));
  }
});

test('texts and header names are masked at any depth, and field names are not masked', () => {
  const mask = createMask(['hunter2', 'status']);
  const value = {
    status: 'the status is hunter2',
    count: 7,
    none: null,
    logs: [{ message: ['hunter2', { status: true }] }],
    responseHeaders: { 'x-hunter2': 'hunter2', hunter2: 'a', '********': 'b', status: 'c' },
    headers: [{ name: 'hunter2' }],
  };
  const before = structuredClone(value);
  assert.equal(maskedTexts(value, mask), {
    status: 'the ******** is ********',
    count: 7,
    none: null,
    logs: [{ message: ['********', { status: true }] }],
    responseHeaders: { 'x-********': '********', '********': 'a', '******** 2': 'b', '******** 3': 'c' },
    headers: [{ name: '********' }],
  });
  assert.equal(value, before);
  assert.equal(
    maskedTexts({ a: { hunter2: { hunter2: 1 } } }, mask, () => true),
    { a: { '********': { '********': 1 } } },
  );
});

test('the trimmed value of a secret and the lines of a long secret are masked', () => {
  const mask = maskOfSecrets({
    TOKEN: 'hunter2\n',
    KEY: '-----BEGIN KEY-----\nMIIEvQIBADANBg\r\nab\n-----END KEY-----',
  });
  assert.is(mask('it is hunter2.'), 'it is ********.');
  assert.is(mask('MIIEvQIBADANBg'), '********');
  assert.is(mask('ab and END KEY'), 'ab and END KEY');
});

test('all header values of a request are masked, as a whole and in parts, except the values of harmless headers', () => {
  const secrets = secretsOf({
    headers: {
      authorization: `Basic ${Buffer.from('ann:hunter2').toString('base64')}`,
      cookie: 'sid=abc-123=; other="quoted value"',
      'private-token': 'glpat-1',
      'user-agent': 'harmless',
      accept: 'text/html',
    },
    body: null,
  });
  for (const secret of ['hunter2', 'ann:hunter2', 'glpat-1', 'sid=abc-123=', 'abc-123='])
    assert.ok(secrets.includes(secret), secret);
  for (const other of ['harmless', 'text/html', 'Basic']) assert.not(secrets.includes(other), other);
});

test('the body of a request and its secret fields are masked', () => {
  const body = JSON.stringify({
    user: 'annabel',
    login: { password: 'hunter2', tokens: ['t0ken', 'other'] },
    pin: 12345,
  });
  const secrets = secretsOf({ headers: {}, body });
  for (const secret of [body, 'hunter2', 't0ken', 'other', '12345']) assert.ok(secrets.includes(secret), secret);
  assert.not(secrets.includes('annabel'));
  assert.ok(secretsOf({ headers: {}, body: 'user=annabel&api_key=a%2Fbcd' }).includes('a/bcd'));
  assert.ok(secretsOf({ headers: {}, body: '['.repeat(30_000) + ']'.repeat(30_000) }).length === 0);
});

test.run();
