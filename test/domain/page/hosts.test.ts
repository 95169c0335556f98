import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pageNameOf } from '../../../domain/page/hosts.ts';

const test = suite('pages by host name');

const PLACES = { publicUrl: 'https://uptrail.example.org:8443', publicDomain: 'status.example.org' };

test('a subdomain of PUBLIC_DOMAIN identifies a page by its subdomain', () => {
  assert.equal(pageNameOf('acme.status.example.org', PLACES), { by: 'subdomain', subdomain: 'acme' });
});

test('any other host name may be a custom domain, in ASCII', () => {
  assert.equal(pageNameOf('status.acme.com', PLACES), { by: 'domain', domain: 'status.acme.com' });
  assert.equal(pageNameOf('xn--bcher-kva.example', PLACES), { by: 'domain', domain: 'xn--bcher-kva.example' });
  assert.equal(pageNameOf('acme.status.example.org', { ...PLACES, publicDomain: null }), {
    by: 'domain',
    domain: 'acme.status.example.org',
  });
});

test('names of the service, addresses and single-label names identify no page', () => {
  for (const host of [
    'uptrail.example.org',
    'status.example.org',
    'localhost',
    'uptrail',
    '127.0.0.1',
    '10.1',
    'a.b.status.example.org',
    '-x.status.example.org',
    'x.status.example.org',
    'a..b',
    'ac%6de.example.com',
    "acme'.example.com",
  ])
    assert.is(pageNameOf(host, PLACES), null, host);
});

test('the host of PUBLIC_URL belongs to the service, also below PUBLIC_DOMAIN', () => {
  const places = { publicUrl: 'https://app.example.org', publicDomain: 'example.org' };
  assert.is(pageNameOf('app.example.org', places), null);
  assert.equal(pageNameOf('acme.example.org', places), { by: 'subdomain', subdomain: 'acme' });
});

test.run();
