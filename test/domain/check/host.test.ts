import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HOST_PATTERN, isHost } from '../../../domain/check/host.ts';

const test = suite('the host of a check');

const HOSTS = ['shop.example', 'localhost', 'пример.рф', '127.0.0.1', '::1', '[::1]', '2001:db8::1', 'fe80::1%eth0'];
const OTHERS = [
  'shop.example:443',
  '127.0.0.1:25',
  '[::1]:25',
  ':25',
  'a b',
  'user@shop.example',
  'shop.example/x',
  '[a]',
];

test('the host of a check is a name or an address', () => {
  for (const host of [...HOSTS, '::ffff:127.0.0.1']) assert.ok(isHost(host), host);
});

test('the host of a check has no port or other part of a URL', () => {
  for (const text of [...OTHERS, '', '1:2', '::g', '[::1']) assert.not.ok(isHost(text), text);
});

test('the host of a check has visible characters', () => {
  for (const text of ['\u200b', '\u3164', '\u00ad\u200d']) assert.not.ok(isHost(text), JSON.stringify(text));
});

test('the host of a check matches the published pattern', () => {
  for (const host of HOSTS) assert.match(host, new RegExp(HOST_PATTERN));
  for (const text of OTHERS) assert.not.match(text, new RegExp(HOST_PATTERN));
});

test.run();
