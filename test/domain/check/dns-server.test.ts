import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseDnsServer } from '../../../domain/check/dns-server.ts';

const reading = suite('an element of dns_servers');

const READ: readonly [string, 'plain' | 'tls' | 'https', string, number][] = [
  ['192.0.2.1', 'plain', '192.0.2.1', 53],
  ['192.0.2.1:5353', 'plain', '192.0.2.1', 5353],
  ['2001:db8::1', 'plain', '2001:db8::1', 53],
  ['[2001:db8::1]', 'plain', '2001:db8::1', 53],
  ['[2001:db8::1]:5353', 'plain', '2001:db8::1', 5353],
  ['fe80::1%eth0', 'plain', 'fe80::1%eth0', 53],
  ['ns1.example.com', 'plain', 'ns1.example.com', 53],
  ['ns1.example.com.:65535', 'plain', 'ns1.example.com.', 65_535],
  ['bücher.example', 'plain', 'bücher.example', 53],
  ['tls://dns.example', 'tls', 'dns.example', 853],
  ['TLS://dns.example:8853', 'tls', 'dns.example', 8853],
  ['tls://[2001:db8::1]', 'tls', '2001:db8::1', 853],
  ['https://dns.example/dns-query', 'https', 'dns.example', 443],
  ['https://[2001:db8::1]:8443/a/b?c=d', 'https', '2001:db8::1', 8443],
  ['HTTPS://192.0.2.1', 'https', '192.0.2.1', 443],
];

for (const [text, transport, host, port] of READ) {
  reading(`dns_servers accepts ${text}`, () => {
    assert.equal(parseDnsServer(text), { text, transport, host, port });
  });
}

const REFUSED = [
  ...['', ' ', 'a b', ':53', '192.0.2.1:', '192.0.2.1:0', '192.0.2.1:65536', '192.0.2.1:x', '192.0.2.1:53:53'],
  ...['[192.0.2.1]', '[::1', '::1]', '[::1]53', '[::1]:', '2001:db8::g', 'user@ns.example', 'ns.example/path'],
  ...[
    'tls://',
    'tls://a b',
    'tls://ns.example/',
    'tls://tls://a',
    'http://ns.example/',
    'udp://192.0.2.1',
    'sdns://AA',
  ],
  ...['https://', 'https://user:word@ns.example/', 'https://ns.example/#a', 'https://ns.example:99999/'],
];

for (const text of REFUSED) {
  reading(`dns_servers does not accept "${text}"`, () => {
    assert.is(parseDnsServer(text), null);
  });
}

reading.run();
