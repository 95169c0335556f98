import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { webhookIn } from './post-message.ts';

const test = suite('settings of a webhook');
const { validate, maskedSettings, rateLimitTarget } = webhookIn({});
const strict = webhookIn({ policy: 'public' });

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

test('webhook settings can consist of a URL alone, or have all fields', () => {
  assert.equal(validate({ url: 'http://hooks.example/x' }), {});
  const headers = { Authorization: 'Bearer x', 'X-Empty': '' };
  assert.equal(validate({ url: 'https://hooks.example:8443/x?y=z', method: 'PATCH', headers, secret: SECRET }), {});
});

test('errors about webhook settings name each invalid field', () => {
  assert.equal(
    validate({
      url: 'hooks.example',
      method: 'DELETE',
      headers: { 'a b': 'x', Host: 'x', 'Webhook-Id': 'x', 'X-Split': 'a\r\nb: c', 'X-Number': 5 },
      secret: 'whsec_c2hvcnQ=',
      former_secret: 7,
    }),
    {
      url: ['Must be a URL of at most 2048 characters.'],
      method: ['Must be one of: POST, PUT, PATCH, GET.'],
      'headers.a b': ['Is not the name of a header.'],
      'headers.Host': ['Is set by the service.'],
      'headers.Webhook-Id': ['Is set by the service.'],
      'headers.X-Split': ['Must be a text of at most 4096 visible ASCII characters.'],
      'headers.X-Number': ['Must be a text of at most 4096 visible ASCII characters.'],
      secret: ['Must be whsec_ and 24 to 64 bytes in base64.'],
      former_secret: ['Must be whsec_ and 24 to 64 bytes in base64.'],
    },
  );
  assert.equal(validate({ url: 'https://x.example/', headers: [] }), {
    headers: ['Must be an object of names and values.'],
  });
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`X-${index}`, 'x']));
  assert.equal(validate({ url: 'https://x.example/', headers: many }), {
    headers: ['Must not have more than 20 headers.'],
  });
});

test('the content type of a webhook may be any JSON type in UTF-8', () => {
  const problem = (type: string): string | undefined =>
    validate({ url: 'https://x.example/', headers: { 'content-Type': type } })['headers.content-Type']?.[0];
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON ;Charset="UTF-8"; profile="a;b"',
    'application/vnd.pagerduty+json;version=2',
    'application/problem+json',
    'text/json',
  ]) {
    assert.is(problem(type), undefined, type);
  }
  for (const type of [
    'text/plain',
    'application/jsonp',
    'json',
    '',
    'application/json; charset',
    'application/xml+json/x',
  ]) {
    assert.match(problem(type) ?? '', 'Must be a type of JSON', type);
  }
  assert.is(problem('application/json; charset=iso-8859-1'), 'Its charset must be utf-8.');
});

test('webhook URLs that the policy refuses are invalid', () => {
  const url = (text: string): string | undefined => validate({ url: text })['url']?.[0];
  assert.is(url('ftp://hooks.example/'), 'Must begin with https:// or http://.');
  assert.is(url('https://me:pass@hooks.example/'), 'Must not have a user name or a password; send them as a header.');
  assert.is(url('http://169.254.169.254/'), 'The policy for webhooks does not allow 169.254.169.254 (link-local).');
  assert.is(url('http://[fe80::1]/'), 'The policy for webhooks does not allow fe80::1 (link-local).');
  assert.is(url('http://2852039166/'), 'The policy for webhooks does not allow 169.254.169.254 (link-local).');
  assert.equal(strict.validate({ url: 'http://hooks.example/' }), { url: ['Must begin with https://.'] });
  assert.equal(strict.validate({ url: 'https://10.0.0.1/' }), {
    url: ['The policy for webhooks does not allow 10.0.0.1 (private).'],
  });
});

test('secrets in webhook settings are masked', () => {
  const headers = { Authorization: 'Bearer x', 'Content-Language': 'en' };
  assert.equal(maskedSettings({ url: 'https://x.example/', headers, secret: SECRET, former_secret: SECRET }), {
    url: 'https://x.example/',
    headers: { Authorization: '********', 'Content-Language': 'en' },
    secret: '********',
    former_secret: '********',
  });
  assert.equal(maskedSettings({ url: 'https://x.example/' }), { url: 'https://x.example/' });
});

test('webhooks with the same target share a rate limit', () => {
  assert.is(rateLimitTarget({ url: 'https://Hooks.example/a' }), 'hooks.example:443');
  assert.is(rateLimitTarget({ url: 'https://hooks.example:443/b' }), 'hooks.example:443');
  assert.is(rateLimitTarget({ url: 'http://hooks.example/b' }), 'hooks.example:80');
});

test.run();
