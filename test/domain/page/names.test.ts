import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LANGUAGES } from '../../../domain/page/languages.ts';
import {
  isDomain,
  isSubdomain,
  normalizedDomain,
  numberedSubdomain,
  subdomainFrom,
} from '../../../domain/page/names.ts';

const test = suite('a name of a page');

const accepts = (rule: (text: string) => boolean, texts: readonly string[]): void => {
  for (const text of texts) assert.ok(rule(text), `${text} is accepted`);
};
const refuses = (rule: (text: string) => boolean, texts: readonly string[]): void => {
  for (const text of texts) assert.not(rule(text), `${text} is refused`);
};

test('a subdomain of a page has 2 to 63 letters, digits and hyphens, with no hyphen at either end', () => {
  accepts(isSubdomain, ['ab', 'a1', '1-a', 'status-page', 'ACME', 'a'.repeat(63), 'a--b']);
  refuses(isSubdomain, ['', 'a', '-a', 'a-', 'a'.repeat(64), 'a.b', 'a_b', 'a b', 'é1', 'ab\n']);
});

test('a domain of a page is a host name in any script and no address', () => {
  accepts(isDomain, [
    'status.example.com',
    'Status.Example.COM',
    'example.com.',
    'пример.рф',
    'localhost',
    '_x.example',
  ]);
  refuses(isDomain, [
    '',
    '.',
    'a..b',
    '-a.com',
    'a-.com',
    'a b.com',
    'http://a.com',
    'a.com/x',
    'a.com:80',
    '127.0.0.1',
  ]);
  refuses(isDomain, ['[::1]', '1.2', 'a@b.com', 'a,b']);
});

test('domains of pages are the same in any case, with a trailing dot, and in punycode', () => {
  for (const text of ['Пример.рф', 'пример.рф.', 'xn--e1afmkfd.XN--P1AI']) {
    assert.is(normalizedDomain(text), 'xn--e1afmkfd.xn--p1ai');
  }
});

test('the name of a page suggests a subdomain, padded if it is too short', () => {
  const suggestions: [string, string][] = [
    ['Acme', 'acme'],
    ['  Acme, Inc. – Status  ', 'acme-inc-status'],
    ['Café Müller', 'cafe-muller'],
    ['A', 'a-page'],
    ['Больница № 3: статус', 'bolnitsa-no-3-status'],
    ['北京 公司', 'beijing-gongsi'],
    ['東京', 'dongjing'],
    ['한국', 'hangug'],
    ['मौसम', 'mausm'],
    ['مرحبا', 'mrhb'],
    ['Ελλάδα', 'ellada'],
    ["Tom's Łódź", 'toms-lodz'],
    ['ㅤ!', 'page'],
    ['---', 'page'],
    ['x'.repeat(100), 'x'.repeat(63)],
    [`${'x'.repeat(62)} y`, 'x'.repeat(62)],
  ];
  for (const [name, subdomain] of suggestions) {
    assert.is(subdomainFrom(name), subdomain);
    assert.ok(isSubdomain(subdomain));
  }
});

test('a numbered subdomain starts at 2 and remains valid at any length', () => {
  assert.is(numberedSubdomain('acme', 1), 'acme');
  assert.is(numberedSubdomain('acme', 2), 'acme-2');
  assert.is(numberedSubdomain('x'.repeat(63), 12), `${'x'.repeat(60)}-12`);
  const cutAtHyphen = numberedSubdomain(`${'x'.repeat(60)}-yz`, 3);
  assert.is(cutAtHyphen, `${'x'.repeat(60)}-3`);
});

test('the language of a page is one of the 183 languages of ISO 639-1', () => {
  assert.is(new Set(LANGUAGES).size, 183);
  const known = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  for (const code of LANGUAGES) assert.ok(known.of(code), code);
});

test.run();
