import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailAddressOf, mailboxOf, withVisibleCharacters, displayedName } from '../../../domain/mail/address.ts';

const test = suite('an e-mail address');

for (const [text, address] of [
  ['jane@example.com', 'jane@example.com'],
  ['Jane.Doe+status@Example.COM', 'Jane.Doe+status@example.com'],
  ["o'neil_{x}@example.com", "o'neil_{x}@example.com"],
  ['jane@localhost', 'jane@localhost'],
  ['jane@bücher.example', 'jane@xn--bcher-kva.example'],
  ['jane@почта.рф', 'jane@xn--80a1acny.xn--p1ai'],
  ['jürgen@example.com', 'jürgen@example.com'],
  ['用户@例子.example', '用户@xn--fsqu00a.example'],
] as const) {
  test(`${text} is an e-mail address`, () => {
    assert.is(mailAddressOf(text)?.address, address);
  });
}

for (const text of [
  '',
  'jane',
  '@example.com',
  'jane@',
  'jane@example..com',
  'jane@.example.com',
  'jane@-example.com',
  'jane.@example.com',
  '.jane@example.com',
  'ja..ne@example.com',
  'jane doe@example.com',
  ' jane@example.com',
  'jane@example.com ',
  'jane@example.com,joe@example.com',
  'jane@example.com>',
  '<jane@example.com>',
  'Jane <jane@example.com>',
  'jane@joe@example.com',
  'jane@[127.0.0.1]',
  'jane@exam%70le.com',
  'jane@exam\tple.com',
  'jane\r\nBcc: joe@example.com',
  'jane@example.com\r\nRCPT TO:<joe@example.com>',
  'jane\0@example.com',
  'jane\u202e@example.com',
  '"jane doe"@example.com',
  `${'x'.repeat(65)}@example.com`,
  `${'ü'.repeat(33)}@example.com`,
  `jane@${'x'.repeat(64)}.com`,
  `jane@${'example.'.repeat(32)}com`,
]) {
  test(`${JSON.stringify(text)} is no e-mail address`, () => {
    assert.is(mailAddressOf(text), null);
  });
}

test('an e-mail address may have a display name', () => {
  const shown = (text: string) => {
    const { name, address } = mailboxOf(text) ?? {};
    return `${String(name)} / ${String(address)}`;
  };
  assert.is(shown('Acme Status <status@example.org>'), 'Acme Status / status@example.org');
  assert.is(shown('"Acme, Inc." <status@example.org>'), 'Acme, Inc. / status@example.org');
  assert.is(shown('status@example.org'), 'null / status@example.org');
  assert.is(shown(' <status@example.org> '), 'null / status@example.org');
  for (const text of ['Acme', 'Acme <status>', 'Acme <status@example.org> x', 'A <b> <status@example.org>']) {
    assert.is(mailboxOf(text), null, text);
  }
});

test("an e-mail address can't be hidden by a display name that looks like one or changes the text direction", () => {
  assert.is(displayedName('Bank <info@bank.example>'), 'Bank info@bank.example');
  assert.is(displayedName('Acme\r\nBcc: joe@example.com'), 'Acme Bcc: joe@example.com');
  assert.is(displayedName('Acme\u202eemcA\u2066x\u2069'), 'Acme emcA x');
  assert.is(displayedName('"Acme" \\'), 'Acme');
  assert.is(displayedName('é'.repeat(200)).length, 100);
});

test('an e-mail address has visible characters only', () => {
  assert.is(withVisibleCharacters('Down\r\n\tagain\u2028now\u0000 \u200f!'), 'Down again now !');
});

test('an e-mail address is parsed fast at any length', () => {
  assert.is(mailAddressOf('.a'.repeat(1_000_000)), null);
  assert.is(mailAddressOf(`${'a.'.repeat(31)}!@`), null);
  assert.is(mailboxOf(`${'<'.repeat(100_000)}x@y.z>`), null);
});

test.run();
