import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pictureAddress } from '../../../site/pages/picture-addresses.ts';
import { pageSecurity } from '../../../site/pages/security.ts';
import { startPublishedSite } from './published-site.ts';

const test = suite('the security headers of a status page');

const NOTHING = { allow_embedding: null, company_logo: null, hero_cover: null, favicon_logo: null };
const headersOf = (page: Partial<Parameters<typeof pageSecurity>[0]>): Record<string, string> => {
  const list = pageSecurity({ ...NOTHING, ...page });
  return Object.fromEntries(
    list.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), list[at + 1] ?? '']] : [])),
  );
};
const directive = (headers: Record<string, string>, name: string): string | undefined =>
  headers['content-security-policy']
    ?.split(';')
    .find((one) => one.startsWith(`${name} `))
    ?.slice(name.length + 1);

test('the security policy of a page allows pictures only from the origins of its logo, cover and icon', () => {
  const imagesOf = (page: Partial<Parameters<typeof pageSecurity>[0]>) => directive(headersOf(page), 'img-src');
  assert.is(imagesOf({}), "'self' data:");
  const company_logo = 'https://CDN.acme.example/logo.svg?x=1#y';
  assert.is(imagesOf({ company_logo }), "'self' data: https://cdn.acme.example");
  assert.is(imagesOf({ company_logo, hero_cover: 'https://cdn.acme.example/c.png' }), imagesOf({ company_logo }));
  assert.is(imagesOf({ favicon_logo: company_logo }), imagesOf({ company_logo }));
  const hero_cover = 'https://img.example:8443/c.png';
  assert.is(imagesOf({ company_logo, hero_cover }), "'self' data: https://cdn.acme.example https://img.example:8443");
});

test('the security policy of a page does not allow pictures with other kinds of URLs, and such URLs can not change the policy', () => {
  for (const address of [
    ...['http://cdn.acme.example/logo.svg', 'javascript:alert(1)', 'data:image/svg+xml,<svg/>', '//x.example/y', ''],
    ...[
      'https://x.example;script-src *',
      "https://x.example;script-src'unsafe-inline'/a.png",
      'https://*.example/a.png',
    ],
    ...[
      'https://x.example,y.example/a.png',
      'https://user:pass@x.example/a.png',
      'https://x\r\ny/a',
      'https://*/a.png',
    ],
  ]) {
    const shown = pictureAddress(address);
    if (shown !== null) assert.match(shown, /^https:\/\/[a-z0-9.]+\/[^\s"'<>]*$/);
    const headers = headersOf({ company_logo: address, hero_cover: address });
    if (shown === null) assert.equal(headers, headersOf({}), address);
    assert.is(directive(headers, 'script-src'), "'self'", address);
  }
});

test('only the origins in allow_embedding can show a page in a frame', () => {
  const none = headersOf({});
  assert.is(directive(none, 'frame-ancestors'), "'none'");
  assert.ok(none['x-frame-options']);
  const some = headersOf({ allow_embedding: ['https://intra.acme.example', 'http://localhost:8080'] });
  assert.is(directive(some, 'frame-ancestors'), 'https://intra.acme.example http://localhost:8080');
  assert.is(some['x-frame-options'], undefined);
  assert.is(directive(headersOf({ allow_embedding: [] }), 'frame-ancestors'), "'none'");
});

test('the security headers of a page allow only its own scripts and styles, and hide its URL from other sites', () => {
  const headers = headersOf({});
  assert.is(directive(headers, 'default-src'), "'none'");
  assert.is(directive(headers, 'style-src'), "'self'");
  assert.not.match(headers['content-security-policy'] ?? '', 'unsafe');
  assert.is(headers['referrer-policy'], 'same-origin');
});

test('every HTML page of a status page has security headers', async () => {
  const site = await startPublishedSite({
    company_logo: 'https://cdn.acme.example/logo.svg',
    hero_cover: 'http://cdn.acme.example/cover.png',
    allow_embedding: ['https://intra.acme.example'],
  });
  try {
    const group = await site.group('Group');
    const component = await site.component('API', { group_id: group });
    const { id } = await site.incident();
    const pages = ['', 'history', `components/${component}`, `groups/${group}`, `incidents/${String(id)}`];
    for (const path of pages) {
      const { status, headers, text } = await site.get(path, { accept: 'text/html' });
      assert.is(status, 200, path);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, "img-src 'self' data: https://cdn.acme.example;", path);
      assert.match(policy, 'frame-ancestors https://intra.acme.example', path);
      assert.match(
        text,
        '<img src="https://cdn.acme.example/logo.svg" alt="Acme" referrerpolicy="no-referrer"/>',
        path,
      );
      assert.not.match(text, 'cover.png', path);
    }
    const feed = await site.get('history.atom');
    assert.match(String(feed.headers['content-security-policy']), "default-src 'none'");
  } finally {
    await site.stop();
  }
});

test.run();
