import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readXml, startPicturesSite, type PicturesSite } from './pictures-site.ts';

const test = suite<{ site: PicturesSite }>('files for search engines and browsers');

test.before.each(async (context) => {
  context.site = await startPicturesSite({ domain: 'status.acme.example' });
});
test.after.each(({ site }) => site.stop());

test('the sitemap of a page contains the page, its components and its incidents', async ({ site }) => {
  const api = await site.post('/components', { name: 'API' });
  const hidden = await site.post('/components', { name: 'Spare', only_show_if_degraded: true });
  const incident = await site.post('/incidents', {
    name: 'Slow',
    status: 'investigating',
    body: 'We look into it.',
    components: {},
  });
  const { status, headers, text } = await site.get('/sitemap.xml');
  assert.equal([status, headers.get('content-type')], [200, 'application/xml; charset=utf-8']);
  const { texts } = readXml(text);
  assert.ok(texts.includes('https://status.acme.example/'));
  assert.ok(texts.includes(`https://status.acme.example/components/${api.id}`));
  assert.ok(texts.includes(`https://status.acme.example/incidents/${incident.id}`));
  assert.not.match(text, hidden.id);
  const robots = await site.get('/robots.txt');
  assert.is(robots.text, 'User-agent: *\nAllow: /\nSitemap: https://status.acme.example/sitemap.xml\n');
});

test('a page that is hidden from search has no sitemap and no robots.txt, and is marked noindex', async ({ site }) => {
  await site.patch('', { hidden_from_search: true });
  for (const path of ['/sitemap.xml', '/robots.txt']) {
    const { status, headers } = await site.get(path);
    assert.equal([status, headers.get('x-robots-tag')], [404, 'noindex, nofollow'], path);
  }
});

test('the manifest of a page has relative URLs and the exact name of the page', async ({ site }) => {
  const name = '"}</script><b>&\u202e';
  await site.patch('', { name, language: 'he' });
  const { status, headers, text } = await site.get('/manifest.webmanifest');
  assert.equal([status, headers.get('content-type')], [200, 'application/manifest+json']);
  const manifest = JSON.parse(text) as Record<string, unknown>;
  assert.equal([manifest['name'], manifest['dir'], manifest['start_url']], [name, 'rtl', './']);
  const { headers: page, text: html } = await site.get('');
  assert.match(page.get('content-security-policy') ?? '', "manifest-src 'self'");
  assert.match(html, `<link rel="manifest" href="${site.subdomain}/manifest.webmanifest"`);
});

test('a page without a known public URL has no sitemap', async ({ site }) => {
  await site.patch('', { domain: null });
  assert.is((await site.get('/sitemap.xml')).status, 404);
  assert.is((await site.get('/robots.txt')).text, 'User-agent: *\nAllow: /\n');
});

test.run();
