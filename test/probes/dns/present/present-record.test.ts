import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Rdata } from '../../../../network/dns/rdata.ts';
import { presentRecord } from '../../../../probes/dns/present/present-record.ts';

const answers = suite('dns answers in the format of dig +short');

const shown = (rdata: Rdata): string => presentRecord({ name: 'x.example', class: 1, ttl: 60, ...rdata });
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

answers('names in dns answers are presented in lower case and with the final dot', () => {
  assert.is(shown({ type: 'NS', data: 'NS1.Example' }), 'ns1.example.');
  assert.is(shown({ type: 'PTR', data: '.' }), '.');
  assert.is(shown({ type: 'CNAME', data: 'A\\.b.C\\032\\255' }), 'a\\.b.c\\032\\255.');
  assert.is(shown({ type: 'MX', data: { preference: 10, exchange: 'Mail.Example' } }), '10 mail.example.');
  assert.is(
    shown({ type: 'SRV', data: { priority: 1, weight: 2, port: 5060, target: 'SIP.example' } }),
    '1 2 5060 sip.example.',
  );
});

answers('the numbers of SOA records are presented in order', () => {
  const data = { mname: 'NS.example', rname: 'first\\.last.example', serial: 4_294_967_295 };
  assert.is(
    shown({ type: 'SOA', data: { ...data, refresh: 1, retry: 2, expire: 3, minimum: 4 } }),
    'ns.example. first\\.last.example. 4294967295 1 2 3 4',
  );
});

answers('addresses in dns answers are presented in one spelling', () => {
  assert.is(shown({ type: 'A', data: '192.0.2.1' }), '192.0.2.1');
  for (const [given, spelled] of [
    ['2001:0DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['0:0:0:0:0:ffff:c000:201', '::ffff:192.0.2.1'],
    ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
    ['0:0:0:0:0:0:0:0', '::'],
  ] as const)
    assert.is(shown({ type: 'AAAA', data: given }), spelled);
});

answers('strings of TXT records are joined and presented without quotes, but with escapes', () => {
  assert.is(shown({ type: 'TXT', data: [bytes('v=spf1 '), bytes('-all')] }), 'v=spf1 -all');
  assert.is(shown({ type: 'TXT', data: [bytes('say "a\\b"; \t\xff')] }), 'say \\"a\\\\b\\"; \\009\\255');
  assert.is(shown({ type: 'TXT', data: [bytes('')] }), '');
});

answers('strings of dns records with several fields are presented with their quotes', () => {
  assert.is(
    shown({ type: 'CAA', data: { flags: 128, tag: bytes('Issue'), value: bytes('ca.example; a="b"') } }),
    '128 issue "ca.example; a=\\"b\\""',
  );
  const naptr = { order: 100, preference: 10, flags: bytes('U'), services: bytes('E2U+sip') };
  assert.is(
    shown({ type: 'NAPTR', data: { ...naptr, regexp: bytes('!^.*$!sip:\\1@x!'), replacement: '.' } }),
    '100 10 "U" "E2U+sip" "!^.*$!sip:\\\\1@x!" .',
  );
});

answers('keys and digests in dns answers are presented without spaces', () => {
  const digest = Buffer.alloc(64, 0xab);
  assert.is(
    shown({ type: 'DS', data: { keyTag: 1, algorithm: 13, digestType: 4, digest } }),
    `1 13 4 ${'AB'.repeat(64)}`,
  );
  assert.is(
    shown({ type: 'DNSKEY', data: { flags: 257, protocol: 3, algorithm: 13, key: digest } }),
    `257 3 13 ${digest.toString('base64')}`,
  );
  assert.is(shown({ type: 'SSHFP', data: { algorithm: 4, hash: 9, fingerprint: bytes('\xfe') } }), '4 9 FE');
  assert.is(
    shown({ type: 'TLSA', data: { usage: 3, selector: 1, matchingType: 1, certificate: bytes('\x0a') } }),
    '3 1 1 0A',
  );
});

const https = (params: [number, string][]): string =>
  shown({
    type: 'HTTPS',
    data: { priority: 1, target: '.', params: params.map(([key, value]) => ({ key, value: bytes(value) })) },
  });

answers('parameters of HTTPS and SVCB records are presented by name (RFC 9460)', () => {
  assert.is(shown({ type: 'SVCB', data: { priority: 0, target: 'Other.example', params: [] } }), '0 other.example.');
  assert.is(
    https([
      [0, '\0\x01\0\x03'],
      [1, '\x02h2\x02h3'],
      [2, ''],
      [3, '\x20\xfb'],
      [4, '\xc0\0\x02\x01\xc0\0\x02\x02'],
      [5, 'abc'],
      [6, ' \x01\r\xb8\0\0\0\0\0\0\0\0\0\0\0\x01'],
      [7, '/q{?dns}'],
      [667, 'a "b"'],
      [668, ''],
    ]),
    '1 . mandatory=alpn,port alpn="h2,h3" no-default-alpn port=8443 ipv4hint=192.0.2.1,192.0.2.2 ech=YWJj ' +
      'ipv6hint=2001:db8::1 dohpath="/q{?dns}" key667="a \\"b\\"" key668',
  );
  assert.is(https([[1, '\x08f\\oo,bar\x03a b']]), '1 . alpn="f\\\\\\\\oo\\\\,bar,a\\032b"');
});

answers('parameters of HTTPS and SVCB records with invalid values are presented as bytes', () => {
  assert.is(
    https([
      [1, '\x09h2'],
      [3, '\x01'],
      [4, 'abc'],
    ]),
    '1 . alpn="\\009h2" port="\\001" ipv4hint="abc"',
  );
});

answers.run();
