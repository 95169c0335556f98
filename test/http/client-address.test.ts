import type { IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createProxies, networkOf } from '../../http/client-address.ts';

const test = suite('the client address of a request');

const from = (remoteAddress: string, forwarded?: string) =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage;
const { clientOf, isTrusted } = createProxies('10.0.0.0/8, 127.0.0.1, fd00::/8');

/** The peer, its X-Forwarded-For header, and the expected client. */
const CASES: readonly (readonly [string, string | undefined, string])[] = [
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['127.0.0.1', '192.0.2.7', '192.0.2.7'],
  ['127.0.0.1', '198.51.100.1, 192.0.2.7', '192.0.2.7'],
  ['127.0.0.1', '198.51.100.1, 192.0.2.7, 10.1.1.1', '192.0.2.7'],
  ['::ffff:127.0.0.1', '192.0.2.7', '192.0.2.7'],
  ['fd00::1', '2001:db8::7', '2001:db8::7'],
  ['127.0.0.1', '192.0.2.7:4711', '192.0.2.7'],
  ['127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
  ['127.0.0.1', '::ffff:192.0.2.7', '192.0.2.7'],
  ['127.0.0.1', ' , 192.0.2.7 , ', '192.0.2.7'],
  ['127.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
  // Peers that are not trusted proxies cannot set the client address.
  ['192.0.2.9', '192.0.2.7', '192.0.2.9'],
  ['::1', '192.0.2.7', '::1'],
  // An invalid address and everything to its left are ignored, because any client could have sent them.
  ['127.0.0.1', 'nonsense', '127.0.0.1'],
  ['127.0.0.1', '192.0.2.7, unknown', '127.0.0.1'],
  ['127.0.0.1', '192.0.2.7, unknown, 10.1.1.1', '10.1.1.1'],
  ['127.0.0.1', '1.2.3', '127.0.0.1'],
  ['127.0.0.1', '0x7f.1', '127.0.0.1'],
  ['127.0.0.1', "192.0.2.7' OR 1=1", '127.0.0.1'],
  ['127.0.0.1', '300.1.1.1', '127.0.0.1'],
];

for (const [peer, header, client] of CASES) {
  test(`the client is ${client} if the peer is ${peer} and X-Forwarded-For is ${header ?? '(absent)'}`, () => {
    assert.is(clientOf(from(peer, header)), client);
  });
}

test('without TRUST_PROXY, X-Forwarded-For is ignored', () => {
  assert.is(createProxies(null).clientOf(from('127.0.0.1', '192.0.2.7')), '127.0.0.1');
});

test('a trusted proxy is recognized in IPv4 and IPv4-mapped notation', () => {
  assert.ok(isTrusted('::ffff:10.1.1.1'));
  assert.not.ok(isTrusted('192.0.2.7'));
  assert.not.ok(isTrusted('nonsense'));
});

test('an X-Forwarded-For header that consists of commas is parsed quickly', () => {
  assert.is(clientOf(from('127.0.0.1', `192.0.2.7${','.repeat(16_000)}`)), '192.0.2.7');
  assert.is(clientOf(from('127.0.0.1', '10.1.1.1,'.repeat(1_600))), '10.1.1.1');
});

test('addresses of one IPv6 network count as one client', () => {
  assert.is(networkOf('2001:db8:1:2:aaaa::1'), networkOf('2001:db8:1:2::9'));
  assert.is.not(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'));
  assert.is(networkOf('192.0.2.7'), '192.0.2.7');
  assert.is(networkOf('::ffff:192.0.2.7'), '192.0.2.7');
});

test('a trusted proxy can be configured in IPv4-mapped notation', () => {
  const proxies = createProxies('::ffff:127.0.0.1');
  for (const peer of ['127.0.0.1', '::ffff:127.0.0.1'])
    assert.is(proxies.clientOf(from(peer, '192.0.2.7')), '192.0.2.7');
});

test.run();
