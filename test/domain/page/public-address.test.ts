import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { publicAddress } from '../../../domain/page/public-address.ts';

const test = suite('the public address of a page');

const acme = { subdomain: 'acme', domain: null };
const own = { subdomain: 'acme', domain: 'status.acme.example' };
const publicUrl = 'https://uptrail.example.org';
const publicDomain = 'pages.example.org';
const NOWHERE = { publicUrl: null, publicDomain: null };

test('the public address of a page with a custom domain is that domain, in any configuration', () => {
  for (const places of [
    NOWHERE,
    { publicUrl, publicDomain: null },
    { publicUrl: null, publicDomain },
    { publicUrl: 'http://127.0.0.1:3000', publicDomain },
  ]) {
    assert.is(publicAddress(own, places), 'https://status.acme.example');
  }
});

test('the public address of a page has its custom domain in ASCII', () => {
  assert.is(publicAddress({ ...own, domain: 'пример.рф' }, NOWHERE), 'https://xn--e1afmkfd.xn--p1ai');
});

test('the public address of a page without a custom domain is its subdomain of the domain for pages', () => {
  assert.is(publicAddress(acme, { publicUrl: null, publicDomain }), 'https://acme.pages.example.org');
  assert.is(publicAddress(acme, { publicUrl, publicDomain }), 'https://acme.pages.example.org');
});

test('the public address of a page on a subdomain has the scheme and port of the service', () => {
  const at = (url: string) => publicAddress(acme, { publicUrl: url, publicDomain: 'localhost' });
  assert.is(at('http://127.0.0.1:3000'), 'http://acme.localhost:3000');
  assert.is(at('http://uptrail.example.org/below'), 'http://acme.localhost');
  assert.is(at('https://uptrail.example.org:8443'), 'https://acme.localhost:8443');
});

test('the public address of a page without any domain is below PUBLIC_URL, or is only a path without PUBLIC_URL', () => {
  assert.is(publicAddress(acme, { publicUrl, publicDomain: null }), 'https://uptrail.example.org/status/acme');
  assert.is(
    publicAddress(acme, { publicUrl: 'http://127.0.0.1:3000/below', publicDomain: null }),
    'http://127.0.0.1:3000/below/status/acme',
  );
  assert.is(publicAddress(acme, NOWHERE), '/status/acme');
});

test.run();
