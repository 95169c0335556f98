import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMask } from '../../../runners/probe/masking.ts';
import { secretsOf } from '../../../runners/web/secrets.ts';

const test = suite('a mask of secrets');

const AWKWARD = `p"ä/s's +%&<ß>=\\x`;

test('finds a secret of four characters and more, wherever it stands and however often', () => {
  const mask = createMask(['abcd', 'longer secret', 'xyz', '']);
  assert.is(mask('abcd, xabcdx and longer secret'), '********, x********x and ********');
  assert.is(mask('xyz abc'), 'xyz abc');
  assert.is(mask(''), '');
  assert.is(createMask([])('abcd'), 'abcd');
});

test('leaves no rest of a longer secret, and masks no mask', () => {
  assert.is(createMask(['abcd', 'abcdef', '****'])('abcdef abcd'), '******** ********');
});

const forms: [string, string][] = [
  ['as it is', AWKWARD],
  ['in a URL', encodeURIComponent(AWKWARD)],
  ['in a URL in lower case', encodeURIComponent(AWKWARD).replace(/%../g, (escape) => escape.toLowerCase())],
  ['in a path', encodeURI(AWKWARD)],
  ['in a form', new URLSearchParams({ a: AWKWARD }).toString().slice(2)],
  ['in the query of a URL', new URL(`http://127.0.0.1/?${AWKWARD}`).search.slice(1)],
  ['in JSON', JSON.stringify(AWKWARD)],
  ['in JSON with escaped slashes', JSON.stringify(AWKWARD).replaceAll('/', '\\/')],
  ['in JSON of ASCII', JSON.stringify(AWKWARD).replace('ä', '\\u00e4').replace('ß', '\\u00DF'.toLowerCase())],
  ['in JSON of ASCII in capitals', JSON.stringify(AWKWARD).replace('ä', '\\u00E4').replace('ß', '\\u00DF')],
  ['in HTML', 'p&quot;ä/s&#39;s +%&amp;&lt;ß&gt;=\\x'],
  ['in base64', Buffer.from(AWKWARD).toString('base64')],
  ['in base64 of ISO 8859-1', Buffer.from(AWKWARD, 'latin1').toString('base64')],
  ['in base64url', Buffer.from(AWKWARD).toString('base64url')],
  ['in UTF-8 that is read as ISO 8859-1', Buffer.from(AWKWARD).toString('latin1')],
  ['in a URL of ISO 8859-1', [...Buffer.from(AWKWARD, 'latin1')].map((byte) => escapedByte(byte)).join('')],
];

function escapedByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[\w.~-]/.test(character) && byte < 0x80 ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

for (const [where, text] of forms) {
  test(`finds a secret ${where}`, () => {
    const shown = createMask([AWKWARD])(`before ${text} after`).replaceAll('"', '');
    assert.is(shown, 'before ******** after');
  });
}

test('finds a secret within something longer that was encoded, and masks all of that', () => {
  const mask = createMask(['hunter2']);
  for (const before of ['', 'a', 'ab', 'abc', 'user:']) {
    for (const after of ['', 'z', 'zz', ':more']) {
      const text = Buffer.from(`${before}hunter2${after}`).toString('base64');
      assert.is(mask(`a=${text}, x`), 'a=********, x');
    }
  }
});

test('finds the longest of many that begin alike', () => {
  const secrets = ['same', 'same-a', 'same-ab', 'same-abcd', 'same-b', 'same-bz', 'samen'];
  const mask = createMask(secrets);
  for (const secret of secrets) assert.is(mask(`(${secret})`), '(********)');
  assert.is(mask('same-abc same-c same-by'), '********c ********-c ********y');
  const long = Array.from({ length: 500 }, (_, index) => `${'a'.repeat(500)}${index.toString()}`);
  assert.is(createMask(long)('a'.repeat(100_000)), 'a'.repeat(100_000));
});

test('takes not long, also where it is all secrets', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => `secret-${index.toString()}-`);
  assert.is(createMask(many)(many.join(' ').repeat(3)).replaceAll(/[* ]/g, ''), '');
});

test('knows of a request the values of all headers but harmless ones, whole and in parts', () => {
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

test('knows of a body the whole, and what it calls a secret', () => {
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
