import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpError } from '../../../http/errors.ts';
import { SentRequest } from '../../../http/routes/sent-request.ts';
import { requireOwnForm } from '../../../site/pages/access/same-site.ts';

const test = suite('the origin of forms');

const accepts = (headers: Record<string, string>): boolean => {
  const all = { host: 'acme.status.example:8080', ...headers };
  try {
    requireOwnForm(new SentRequest({ headers: all, originalUrl: '/access', url: '/access', secure: false }));
    return true;
  } catch (error) {
    assert.instance(error, HttpError);
    return false;
  }
};

test('a page accepts forms that are sent from its own origin, and requests without an Origin header', () => {
  assert.ok(accepts({}));
  assert.ok(accepts({ 'sec-fetch-site': 'same-origin', origin: 'null' }));
  assert.ok(accepts({ 'sec-fetch-site': 'none' }));
  assert.ok(accepts({ origin: 'http://acme.status.example:8080' }));
  assert.ok(accepts({ origin: 'https://acme.example', 'x-forwarded-host': 'acme.example' }));
});

test('a page rejects forms of another site, subdomain or port, and forms whose origin the browser hides', () => {
  for (const site of ['cross-site', 'same-site', '']) assert.not(accepts({ 'sec-fetch-site': site }), site);
  for (const origin of [
    'null',
    '',
    'https://other.status.example:8080',
    'http://acme.status.example',
    'https://evil.test',
  ])
    assert.not(accepts({ origin }), origin);
});

test.run();
