import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { imageAddress, linkable } from '../../messages/links.ts';

const test = suite('links in messages');

test('only absolute web URLs and e-mail addresses are linked', () => {
  assert.is(linkable('https://acme.example/a?b=c&d#e'), 'https://acme.example/a?b=c&d#e');
  assert.is(linkable('HTTP://Acme.Example'), 'http://acme.example/');
  assert.is(linkable('http://[::1]:8080/'), 'http://[::1]:8080/');
  assert.is(linkable('mailto:support@acme.example'), 'mailto:support@acme.example');
  for (const address of [
    ...['/login', '//acme.example', '?a', '#a', '', 'acme.example', 'https:acme.example', 'https://'],
    ...[
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,x',
      'ftp://acme.example',
    ],
    ...['https://bank.example@acme.example/', 'https://a:b@acme.example/', 'mailto:', 'mailto:a@b.example,c@d.example'],
    `https://acme.example/${'a'.repeat(2_048)}`,
  ]) {
    assert.is(linkable(address), null, address);
  }
});

test('a linked URL contains no character that could end the link, and a linked e-mail address has no header fields', () => {
  assert.is(
    linkable(`https://acme.example/"'<>[]|^\`{}\\ ы\u202e?"'<>[]#"'<>[]#`),
    'https://acme.example/%22%27%3C%3E%5B%5D%7C%5E%60%7B%7D/%20%D1%8B%E2%80%AE?%22%27%3C%3E%5B%5D#%22%27%3C%3E%5B%5D%23',
  );
  assert.is(linkable('mailto:a@acme.example?bcc=b@acme.example&attach=x'), 'mailto:a@acme.example');
});

test('the URL of an image is an absolute web URL', () => {
  assert.is(imageAddress('https://acme.example/a.png'), 'https://acme.example/a.png');
  for (const address of [null, 'mailto:a@acme.example', 'data:image/png;base64,AA', 'a.png']) {
    assert.is(imageAddress(address), null);
  }
});

test.run();
