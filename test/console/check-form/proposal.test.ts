import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  addressOf,
  addressWithoutCredentials,
  type ProposedType,
} from '../../../console/screens/check-start/address.ts';
import { bodyOf, proposalOf } from '../../../console/screens/check-start/proposal.ts';

const test = suite('the proposed check for an address');

const ALL = new Set(['web', 'api', 'tcp', 'ssl', 'dns', 'icmp']);

const proposed = (text: string, chosen: ProposedType | null = null, available = ALL): object => {
  const address = addressOf(text);
  assert.ok(address, text);
  return bodyOf(address, proposalOf(address, available, null, chosen));
};

const CERTIFICATE = { assertions: { min_certificate_days: 14 } };

test('a host or a URL is proposed as a website check', () => {
  const site = { type: 'web', interval: 60, parameters: CERTIFICATE };
  assert.equal(proposed(' shop.example.com '), { ...site, name: 'shop.example.com', url: 'https://shop.example.com/' });
  assert.equal(proposed('https://shop.example.com/cart?x=1#top'), {
    ...site,
    name: 'shop.example.com/cart',
    url: 'https://shop.example.com/cart?x=1',
  });
  assert.equal(proposed('shop.example.com/cart'), {
    ...site,
    name: 'shop.example.com/cart',
    url: 'https://shop.example.com/cart',
  });
  assert.equal(proposed('http://10.0.0.7:8080/'), {
    type: 'web',
    interval: 60,
    name: '10.0.0.7:8080',
    url: 'http://10.0.0.7:8080/',
    parameters: {},
  });
  assert.equal(proposed('localhost:3000'), {
    type: 'web',
    interval: 60,
    name: 'localhost:3000',
    url: 'http://localhost:3000/',
    parameters: {},
  });
});

test('an address that looks like an API is proposed as an API check', () => {
  for (const text of [
    'api.example.com',
    'https://example.com/api/v2/items',
    'https://example.com/healthz',
    'https://e.org/x.json',
  ])
    assert.is((proposed(text) as { type: string }).type, 'api', text);
  assert.is((proposed('https://capital.example.com/apiary') as { type: string }).type, 'web');
});

test('a host with a port, or a URL of another protocol, is proposed as a port check without passwords', () => {
  const port = { type: 'tcp', interval: 60, parameters: {} };
  assert.equal(proposed('db.example.com:5432'), {
    ...port,
    name: 'db.example.com:5432',
    host: 'db.example.com',
    port: 5432,
  });
  const database = proposed('postgres://me:secret@db.example.com/shop');
  assert.equal(database, { ...port, name: 'db.example.com:5432', host: 'db.example.com', port: 5432 });
  assert.not.match(JSON.stringify(database), 'secret');
  assert.equal(proposed('rediss://cache.example.com:7000'), {
    ...port,
    name: 'cache.example.com:7000',
    host: 'cache.example.com',
    port: 7000,
    parameters: { tls: true },
  });
  assert.equal(proposed('[2001:db8::1]:2200'), {
    ...port,
    name: '[2001:db8::1]:2200',
    host: '2001:db8::1',
    port: 2200,
  });
});

test('an IP address is proposed as a ping check if runners can send pings', () => {
  assert.equal(proposed('192.0.2.7'), {
    name: '192.0.2.7',
    type: 'icmp',
    interval: 60,
    host: '192.0.2.7',
    parameters: {},
  });
  assert.equal(proposed('2001:db8::1'), {
    name: '2001:db8::1',
    type: 'icmp',
    interval: 60,
    host: '2001:db8::1',
    parameters: {},
  });
  assert.equal(proposed('192.0.2.7', null, new Set(['web'])), {
    name: '192.0.2.7',
    type: 'web',
    interval: 60,
    url: 'http://192.0.2.7/',
    parameters: {},
  });
});

test('the user name and the password of a URL become fields of the proposed check', () => {
  assert.equal(proposed('https://me:s%40crt@intra.example.com/'), {
    name: 'intra.example.com',
    type: 'web',
    interval: 60,
    url: 'https://intra.example.com/',
    parameters: { http_request: { username: 'me', password: 's@crt' }, ...CERTIFICATE },
  });
});

test('the address of a proposal can be shared without its password', () => {
  const shared = (text: string): string => {
    const address = addressOf(text);
    assert.ok(address, text);
    return addressWithoutCredentials(address);
  };
  assert.is(shared('https://me:secret@shop.example.com/cart'), 'https://shop.example.com/cart');
  assert.is(shared('postgres://me:secret@db.example.com/shop'), 'db.example.com:5432');
  assert.is(shared('[2001:db8::1]:2200'), '[2001:db8::1]:2200');
});

test('another check type can be chosen for a proposal if the address allows that', () => {
  assert.equal(proposed('https://shop.example.com/', 'ssl'), {
    name: 'shop.example.com',
    type: 'ssl',
    interval: 3_600,
    host: 'shop.example.com',
    port: 443,
    parameters: { assertions: { expiration_threshold: 14 * 86_400 } },
  });
  assert.equal(proposed('shop.example.com', 'dns'), {
    name: 'shop.example.com',
    type: 'dns',
    interval: 300,
    host: 'shop.example.com',
    parameters: { record_type: 'A' },
  });
  assert.is((proposed('192.0.2.7', 'dns') as { type: string }).type, 'icmp');
});

test('a proposed check has a keyword to search for, and no shorter interval than the plan allows', () => {
  const address = addressOf('shop.example.com');
  assert.ok(address);
  const proposal = proposalOf(address, ALL, 300);
  assert.is(proposal.interval, 300);
  assert.equal(bodyOf(address, { ...proposal, keyword: 'Cart', certificateDays: null }), {
    name: 'shop.example.com',
    type: 'web',
    interval: 300,
    url: 'https://shop.example.com/',
    parameters: { search_text: 'Cart' },
  });
});

test('a text that is not an address gives no proposal', () => {
  for (const text of ['', '  ', 'two words', 'nothing', 'javascript:alert(1)', 'host:99999', 'gopher://x', 'https://'])
    assert.is(addressOf(text), null, text);
});

test.run();
