import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isOrigin, storedOrigins } from '../../../domain/page/origins.ts';

const test = suite('frame origins of a page');

test('a frame origin is https with a host name in any script and an optional port', () => {
  for (const text of [
    'https://example.com',
    'HTTPS://Example.com',
    'https://intranet',
    'https://a.example:8443',
    'https://пример.рф',
    'https://a_b.example:65535',
  ]) {
    assert.ok(isOrigin(text), text);
    assert.is(storedOrigins([text]).length, 1);
  }
});

test("a frame origin can't contain characters that extend the policy, and can't be an address", () => {
  for (const text of [
    '',
    '*',
    'example.com',
    '//example.com',
    'http://example.com',
    'https://',
    'https://example.com/',
    'https://example.com/path',
    'https://example.com?x',
    'https://example.com#x',
    'https://user@example.com',
    'https://example.com:0',
    'https://example.com:65536',
    'https://example.com:',
    'https://*.example.com',
    'https://example.com; script-src *',
    "https://example.com 'unsafe-inline'",
    'https://example.com,https://other.example',
    'https://example.com\n',
    ' https://example.com',
    'https://exam\tple.com',
    'https://example.com.',
    'https://192.0.2.1',
    'https://[2001:db8::1]',
    'https://0x7f.1',
  ]) {
    assert.not(isOrigin(text), JSON.stringify(text));
  }
});

test.run();
